-- Phones of before that begin with the trunk prefix of their country: `+49 0151…` becomes `+49 151…`, as it is typed and
-- compared since (worker/contract/kernel/phone.ts, which a test holds these lists to). A row whose number another one has
-- stays as it is.

UPDATE OR IGNORE accounts SET phone = substr(accounts.phone, 1 + old.trunk) FROM (
  SELECT id, CASE
    WHEN phone LIKE '0%' AND instr(
      ' 20 27 31 32 33 40 41 43 44 46 49 51 53 54 55 57 58 60 61 62 63 64 66 81 82 84 86 90 91 92 93 94 95'
      || ' 98 211 212 213 218 231 232 233 234 243 249 250 251 252 254 255 256 260 261 262 263 264 265 291 353'
      || ' 355 358 359 370 373 374 377 380 381 382 383 385 386 387 389 421 423 508 590 591 593 594 595 596 598'
      || ' 686 850 855 856 880 886 961 962 963 964 966 967 970 971 972 976 977 994 995 996 ',
      ' ' || area_code || ' ') > 0 THEN 1
    WHEN area_code = '7' AND length(phone) > 10 AND phone LIKE '8%' THEN 1
    WHEN area_code = '36' AND length(phone) > 9 AND phone LIKE '06%' THEN 2
    WHEN area_code = '375' AND length(phone) > 9 AND phone LIKE '80%' THEN 2
    WHEN area_code = '375' AND length(phone) > 9 AND phone LIKE '8%' THEN 1
    WHEN area_code = '993' AND length(phone) > 8 AND phone LIKE '8%' THEN 1
    ELSE 0 END AS trunk
  FROM accounts WHERE phone IS NOT NULL) old
WHERE old.id = accounts.id AND old.trunk > 0;

-- One of several old spellings of a number within an account.
UPDATE routers SET phone = moved.number FROM (
  SELECT min(id) AS id, account_id, area_code, number FROM (
    SELECT id, account_id, area_code, phone, substr(phone, 1 + CASE
      WHEN phone LIKE '0%' AND instr(
        ' 20 27 31 32 33 40 41 43 44 46 49 51 53 54 55 57 58 60 61 62 63 64 66 81 82 84 86 90 91 92 93 94 95'
        || ' 98 211 212 213 218 231 232 233 234 243 249 250 251 252 254 255 256 260 261 262 263 264 265 291 353'
        || ' 355 358 359 370 373 374 377 380 381 382 383 385 386 387 389 421 423 508 590 591 593 594 595 596 598'
        || ' 686 850 855 856 880 886 961 962 963 964 966 967 970 971 972 976 977 994 995 996 ',
        ' ' || area_code || ' ') > 0 THEN 1
      WHEN area_code = '7' AND length(phone) > 10 AND phone LIKE '8%' THEN 1
      WHEN area_code = '36' AND length(phone) > 9 AND phone LIKE '06%' THEN 2
      WHEN area_code = '375' AND length(phone) > 9 AND phone LIKE '80%' THEN 2
      WHEN area_code = '375' AND length(phone) > 9 AND phone LIKE '8%' THEN 1
      WHEN area_code = '993' AND length(phone) > 8 AND phone LIKE '8%' THEN 1
      ELSE 0 END) AS number
    FROM routers WHERE phone IS NOT NULL)
  WHERE number <> phone GROUP BY account_id, area_code, number) moved
WHERE moved.id = routers.id AND NOT EXISTS (
  SELECT 1 FROM routers r
  WHERE r.account_id = moved.account_id AND r.area_code = moved.area_code AND r.phone = moved.number);

-- A binding is good while its member has the phone: it stays where the member's stays.
UPDATE auth_bindings SET phone = substr(auth_bindings.phone, 1 + old.trunk) FROM (
  SELECT b.id, r.phone AS of_member, CASE
    WHEN b.phone LIKE '0%' AND instr(
      ' 20 27 31 32 33 40 41 43 44 46 49 51 53 54 55 57 58 60 61 62 63 64 66 81 82 84 86 90 91 92 93 94 95'
      || ' 98 211 212 213 218 231 232 233 234 243 249 250 251 252 254 255 256 260 261 262 263 264 265 291 353'
      || ' 355 358 359 370 373 374 377 380 381 382 383 385 386 387 389 421 423 508 590 591 593 594 595 596 598'
      || ' 686 850 855 856 880 886 961 962 963 964 966 967 970 971 972 976 977 994 995 996 ',
      ' ' || b.area_code || ' ') > 0 THEN 1
    WHEN b.area_code = '7' AND length(b.phone) > 10 AND b.phone LIKE '8%' THEN 1
    WHEN b.area_code = '36' AND length(b.phone) > 9 AND b.phone LIKE '06%' THEN 2
    WHEN b.area_code = '375' AND length(b.phone) > 9 AND b.phone LIKE '80%' THEN 2
    WHEN b.area_code = '375' AND length(b.phone) > 9 AND b.phone LIKE '8%' THEN 1
    WHEN b.area_code = '993' AND length(b.phone) > 8 AND b.phone LIKE '8%' THEN 1
    ELSE 0 END AS trunk
  FROM auth_bindings b JOIN routers r ON r.id = b.router_id) old
WHERE old.id = auth_bindings.id AND old.trunk > 0 AND old.of_member IS NOT auth_bindings.phone;

-- Codes on their way: '+49 0151…'.
UPDATE codes SET target = '+' || old.dial_code || ' ' || substr(old.number, 1 + old.trunk) FROM (
  SELECT id, dial_code, number, CASE
    WHEN number LIKE '0%' AND instr(
      ' 20 27 31 32 33 40 41 43 44 46 49 51 53 54 55 57 58 60 61 62 63 64 66 81 82 84 86 90 91 92 93 94 95'
      || ' 98 211 212 213 218 231 232 233 234 243 249 250 251 252 254 255 256 260 261 262 263 264 265 291 353'
      || ' 355 358 359 370 373 374 377 380 381 382 383 385 386 387 389 421 423 508 590 591 593 594 595 596 598'
      || ' 686 850 855 856 880 886 961 962 963 964 966 967 970 971 972 976 977 994 995 996 ',
      ' ' || dial_code || ' ') > 0 THEN 1
    WHEN dial_code = '7' AND length(number) > 10 AND number LIKE '8%' THEN 1
    WHEN dial_code = '36' AND length(number) > 9 AND number LIKE '06%' THEN 2
    WHEN dial_code = '375' AND length(number) > 9 AND number LIKE '80%' THEN 2
    WHEN dial_code = '375' AND length(number) > 9 AND number LIKE '8%' THEN 1
    WHEN dial_code = '993' AND length(number) > 8 AND number LIKE '8%' THEN 1
    ELSE 0 END AS trunk
  FROM (
    SELECT id, substr(target, 2, instr(target, ' ') - 2) AS dial_code, substr(target, instr(target, ' ') + 1) AS number
    FROM codes WHERE target LIKE '+% %')) old
WHERE old.id = codes.id AND old.trunk > 0;
