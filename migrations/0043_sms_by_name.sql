-- SMS of `day` to contacts that a name was looked up for, beside `sent`, which strangers see the end of.
ALTER TABLE sms_countries ADD COLUMN sent_by_name INTEGER NOT NULL DEFAULT 0;
