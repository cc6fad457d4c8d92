-- Logins and e-mails share one namespace. The error names the index of the field, so that callers can report the field.

CREATE FUNCTION directory.reserve_names() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
BEGIN
  DELETE FROM user_names WHERE user_id = NEW.id AND key NOT IN (NEW.login_key, NEW.email_key);
  INSERT INTO user_names (key, user_id) VALUES (NEW.login_key, NEW.id) ON CONFLICT DO NOTHING;
  IF NOT EXISTS (SELECT FROM user_names WHERE key = NEW.login_key AND user_id = NEW.id) THEN
    RAISE EXCEPTION 'the login is taken' USING ERRCODE = '23505', CONSTRAINT = 'users_login_key';
  END IF;
  IF NEW.email_key <> '' THEN
    INSERT INTO user_names (key, user_id) VALUES (NEW.email_key, NEW.id) ON CONFLICT DO NOTHING;
    IF NOT EXISTS (SELECT FROM user_names WHERE key = NEW.email_key AND user_id = NEW.id) THEN
      RAISE EXCEPTION 'the e-mail is taken' USING ERRCODE = '23505', CONSTRAINT = 'users_email_key';
    END IF;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER names_insert AFTER INSERT ON directory.users FOR EACH ROW EXECUTE FUNCTION directory.reserve_names();
--> statement-breakpoint
CREATE TRIGGER names_update AFTER UPDATE OF login_key, email_key ON directory.users FOR EACH ROW
  WHEN ((OLD.login_key, OLD.email_key) IS DISTINCT FROM (NEW.login_key, NEW.email_key))
  EXECUTE FUNCTION directory.reserve_names();
--> statement-breakpoint

-- Where a login already equals another user's e-mail, the login keeps the name, as at sign-in until now.
INSERT INTO directory.user_names (key, user_id) SELECT login_key, id FROM directory.users;
--> statement-breakpoint
INSERT INTO directory.user_names (key, user_id) SELECT email_key, id FROM directory.users WHERE email_key <> '' ON CONFLICT DO NOTHING;
