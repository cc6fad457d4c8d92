CREATE TABLE "directory"."subgroups" (
	"group_id" bigint NOT NULL,
	"subgroup_id" bigint NOT NULL,
	CONSTRAINT "subgroups_pk" PRIMARY KEY("group_id","subgroup_id")
);
--> statement-breakpoint
ALTER TABLE "directory"."groups" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "kind" text DEFAULT 'person' NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."users" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "directory"."subgroups" ADD CONSTRAINT "subgroups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "directory"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."subgroups" ADD CONSTRAINT "subgroups_subgroup_id_groups_id_fk" FOREIGN KEY ("subgroup_id") REFERENCES "directory"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subgroups_by_subgroup" ON "directory"."subgroups" USING btree ("subgroup_id","group_id");--> statement-breakpoint
ALTER TABLE "directory"."users" ADD CONSTRAINT "users_kind" CHECK ("directory"."users"."kind" in ('person', 'service'));--> statement-breakpoint
ALTER TABLE "directory"."users" ADD CONSTRAINT "users_service_without_pass" CHECK ("directory"."users"."kind" <> 'service' or "directory"."users"."pass_hash" is null);--> statement-breakpoint

-- An import raises the epoch once for all of its constraints and groups: a row that one transaction updates a hundred
-- thousand times costs the square of that.
CREATE OR REPLACE FUNCTION directory.raise_epoch(about jsonb) RETURNS void LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
BEGIN
  IF current_setting('berth.bulk', true) = 'on' THEN RETURN; END IF;
  UPDATE policy SET epoch = epoch + 1;
  PERFORM directory.announce(about);
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION directory.constraint_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
DECLARE
  owner_user bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.user_id ELSE NEW.user_id END;
  owner_group bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.group_id ELSE NEW.group_id END;
BEGIN
  IF current_setting('berth.bulk', true) = 'on' THEN RETURN NULL; END IF;
  IF owner_user IS NOT NULL THEN
    UPDATE users SET policy_version = policy_version + 1 WHERE id = owner_user;
  ELSE
    PERFORM directory.raise_epoch(jsonb_build_object('group', owner_group));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Refusals name the group, so a new name is a new answer.
CREATE FUNCTION directory.group_renamed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
BEGIN
  PERFORM directory.raise_epoch(jsonb_build_object('group', NEW.id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER policy AFTER UPDATE OF name ON directory.groups
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name) EXECUTE FUNCTION directory.group_renamed();
--> statement-breakpoint

-- Two transactions that each put one group into the other would both pass without the lock.
CREATE FUNCTION directory.refuse_subgroup_cycle() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
DECLARE
  most constant integer := 16;
  levels integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('directory.subgroups'));
  IF EXISTS (
    WITH RECURSIVE above(id) AS (
      SELECT NEW.group_id UNION SELECT s.group_id FROM subgroups s JOIN above a ON s.subgroup_id = a.id)
    SELECT FROM above WHERE id = NEW.subgroup_id
  ) THEN
    RAISE EXCEPTION 'a group is not part of itself' USING ERRCODE = '23514', CONSTRAINT = 'subgroups_cycle';
  END IF;
  WITH RECURSIVE
    above(id, depth) AS (
      SELECT NEW.group_id, 1 UNION SELECT s.group_id, a.depth + 1 FROM subgroups s JOIN above a ON s.subgroup_id = a.id WHERE a.depth <= most),
    below(id, depth) AS (
      SELECT NEW.subgroup_id, 1 UNION SELECT s.subgroup_id, b.depth + 1 FROM subgroups s JOIN below b ON s.group_id = b.id WHERE b.depth <= most)
  SELECT (SELECT max(depth) FROM above) + (SELECT max(depth) FROM below) INTO levels;
  IF levels > most THEN
    RAISE EXCEPTION 'groups nest too deep' USING ERRCODE = '23514', CONSTRAINT = 'subgroups_depth';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER cycle BEFORE INSERT OR UPDATE ON directory.subgroups FOR EACH ROW EXECUTE FUNCTION directory.refuse_subgroup_cycle();
--> statement-breakpoint
CREATE FUNCTION directory.subgroup_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
DECLARE
  old_row jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  new_row jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
BEGIN
  PERFORM directory.raise_epoch(jsonb_build_object('group', (coalesce(new_row, old_row)->>'subgroup_id')::bigint));
  IF current_setting('berth.audit', true) = 'off' THEN RETURN NULL; END IF;
  INSERT INTO audit (actor, action, target, before, after) VALUES (
    nullif(current_setting('berth.actor', true), '')::bigint,
    'subgroup.' || CASE TG_OP WHEN 'INSERT' THEN 'create' WHEN 'UPDATE' THEN 'update' ELSE 'delete' END,
    'group/' || (coalesce(new_row, old_row)->>'group_id'), old_row, new_row);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER policy AFTER INSERT OR UPDATE OR DELETE ON directory.subgroups FOR EACH ROW EXECUTE FUNCTION directory.subgroup_changed();
