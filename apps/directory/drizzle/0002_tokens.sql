-- Whoever knows a token must hear that it opens less than before: it is announced as a change of its user.

CREATE FUNCTION directory.token_changed() RETURNS trigger LANGUAGE plpgsql SET search_path = directory, pg_temp AS $$
BEGIN
  PERFORM directory.announce(jsonb_build_object('user', OLD.user_id));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER policy AFTER UPDATE OF user_id, sha256, scopes, expires_at OR DELETE ON directory.tokens
  FOR EACH ROW EXECUTE FUNCTION directory.token_changed();
