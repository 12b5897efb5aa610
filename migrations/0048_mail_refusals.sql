-- Addresses whose readers want no verification mails, of whatever account: keyed hashes, no addresses.
CREATE TABLE mail_refusals (
  address_hash TEXT PRIMARY KEY,
  refused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
