-- What must hold whoever writes: the last administrator stays, every change is in the audit, every change that may alter
-- a decision raises a version and is announced.

INSERT INTO directory.policy DEFAULT VALUES;
--> statement-breakpoint
INSERT INTO directory.settings (name, value)
VALUES ('cursor-key', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
--> statement-breakpoint

-- Two transactions that each demote the other's administrator would both pass without the lock.
CREATE FUNCTION directory.keep_an_administrator() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.role = 'admin' AND NEW.active THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('directory.administrators'));
  IF NOT EXISTS (SELECT FROM users WHERE role = 'admin' AND active) THEN
    RAISE EXCEPTION 'the last active administrator stays' USING ERRCODE = '23514', CONSTRAINT = 'users_last_administrator';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER keep_an_administrator AFTER UPDATE OR DELETE ON directory.users
  FOR EACH ROW WHEN (OLD.role = 'admin' AND OLD.active) EXECUTE FUNCTION directory.keep_an_administrator();
--> statement-breakpoint

-- The actor is `berth.actor` of the transaction; `berth.audit` = off is for work that a summary row stands for.
CREATE FUNCTION directory.audit_row() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
DECLARE
  hidden constant text[] := '{pass_hash,sha256,login_key,email_key,name_key,policy_version,version,created_at,updated_at,last_used_at}';
  old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) - hidden END;
  new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) - hidden END;
BEGIN
  IF current_setting('berth.audit', true) = 'off' THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'users' AND TG_OP = 'UPDATE' THEN
    IF OLD.pass_hash IS DISTINCT FROM NEW.pass_hash THEN new_row := new_row || '{"passChanged": true}'; END IF;
  END IF;
  IF old_row IS NOT DISTINCT FROM new_row THEN RETURN NULL; END IF;
  INSERT INTO audit (actor, action, target, before, after) VALUES (
    nullif(current_setting('berth.actor', true), '')::bigint,
    TG_ARGV[0] || '.' || CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'UPDATE' THEN 'update' ELSE 'delete' END,
    TG_ARGV[0] || '/' || (coalesce(new_row, old_row)->>'id'), old_row, new_row);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON directory.users FOR EACH ROW EXECUTE FUNCTION directory.audit_row('user');
--> statement-breakpoint
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON directory.groups FOR EACH ROW EXECUTE FUNCTION directory.audit_row('group');
--> statement-breakpoint
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON directory.constraints FOR EACH ROW EXECUTE FUNCTION directory.audit_row('constraint');
--> statement-breakpoint
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON directory.tokens FOR EACH ROW EXECUTE FUNCTION directory.audit_row('token');
--> statement-breakpoint
CREATE FUNCTION directory.audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('berth.prune', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = '42501';
END $$;
--> statement-breakpoint
CREATE TRIGGER append_only AFTER UPDATE OR DELETE OR TRUNCATE ON directory.audit
  FOR EACH STATEMENT EXECUTE FUNCTION directory.audit_is_append_only();
--> statement-breakpoint

CREATE FUNCTION directory.announce(about jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('berth_policy', about::text)
$$;
--> statement-breakpoint
CREATE FUNCTION directory.raise_epoch(about jsonb) RETURNS void LANGUAGE sql SET search_path = directory, pg_temp AS $$
  UPDATE policy SET epoch = epoch + 1;
  SELECT directory.announce(about);
$$;
--> statement-breakpoint

CREATE FUNCTION directory.user_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM directory.announce(jsonb_build_object('user', OLD.id));
    RETURN OLD;
  END IF;
  IF NEW.policy_version = OLD.policy_version THEN NEW.policy_version := OLD.policy_version + 1; END IF;
  PERFORM directory.announce(jsonb_build_object('user', NEW.id));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER policy_update BEFORE UPDATE ON directory.users FOR EACH ROW
  WHEN ((OLD.role, OLD.active, OLD.login, OLD.policy_version) IS DISTINCT FROM (NEW.role, NEW.active, NEW.login, NEW.policy_version))
  EXECUTE FUNCTION directory.user_changed();
--> statement-breakpoint
CREATE TRIGGER policy_delete BEFORE DELETE ON directory.users FOR EACH ROW EXECUTE FUNCTION directory.user_changed();
--> statement-breakpoint

CREATE FUNCTION directory.constraint_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
DECLARE
  owner_user bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  owner_group bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.group_id ELSE NEW.group_id END;
BEGIN
  IF owner_user IS NOT NULL THEN
    UPDATE users SET policy_version = policy_version + 1 WHERE id = owner_user;
  ELSE
    PERFORM directory.raise_epoch(jsonb_build_object('group', owner_group));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER policy AFTER INSERT OR UPDATE OR DELETE ON directory.constraints FOR EACH ROW EXECUTE FUNCTION directory.constraint_changed();
--> statement-breakpoint

-- A million members leave with their group in one statement: beyond a hundred rows one epoch stands for all of them.
CREATE FUNCTION directory.memberships_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
DECLARE
  verb constant text := CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'UPDATE' THEN 'update' ELSE 'delete' END;
  actor constant bigint := nullif(current_setting('berth.actor', true), '')::bigint;
  many constant boolean := (SELECT count(*) > 100 FROM (SELECT FROM changed LIMIT 101) few);
BEGIN
  IF many THEN
    PERFORM directory.raise_epoch('{"all": true}');
  ELSE
    UPDATE users SET policy_version = policy_version + 1 WHERE id IN (SELECT user_id FROM changed);
  END IF;
  IF current_setting('berth.audit', true) = 'off' THEN RETURN NULL; END IF;
  IF many THEN
    INSERT INTO audit (actor, action, target, before)
      SELECT actor, 'membership.' || verb, 'group/' || group_id, jsonb_build_object('memberships', count(*)) FROM changed GROUP BY group_id;
  ELSE
    INSERT INTO audit (actor, action, target, before, after)
      SELECT actor, 'membership.' || verb, 'group/' || group_id,
        CASE TG_OP WHEN 'DELETE' THEN to_jsonb(changed) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(changed) END
      FROM changed;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER policy_insert AFTER INSERT ON directory.memberships REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION directory.memberships_changed();
--> statement-breakpoint
CREATE TRIGGER policy_update AFTER UPDATE ON directory.memberships REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION directory.memberships_changed();
--> statement-breakpoint
CREATE TRIGGER policy_delete AFTER DELETE ON directory.memberships REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION directory.memberships_changed();
