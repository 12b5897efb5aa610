-- Severity of networks: 2 is now that of unknown links, 3 of partly abnormal, 4 of suspended, 5 of interrupted ones.
UPDATE networks SET severity = CASE severity WHEN 2 THEN 3 ELSE 5 END WHERE severity >= 2;
