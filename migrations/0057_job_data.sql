-- Data of a job's result as JSON, as the device gives it; NULL without any. Its hub has checked its length.
ALTER TABLE network_jobs ADD COLUMN data TEXT CHECK (length(data) <= 16384);
