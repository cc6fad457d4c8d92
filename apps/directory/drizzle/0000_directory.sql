CREATE SCHEMA IF NOT EXISTS "directory";
--> statement-breakpoint
CREATE TABLE "directory"."audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory"."audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor" bigint,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE TABLE "directory"."constraints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory"."constraints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint,
	"group_id" bigint,
	"effect" text NOT NULL,
	"kind" text NOT NULL,
	"value" jsonb NOT NULL,
	"note" text,
	"expires_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "constraints_one_owner" CHECK (num_nonnulls("directory"."constraints"."user_id", "directory"."constraints"."group_id") = 1),
	CONSTRAINT "constraints_effect" CHECK ("directory"."constraints"."effect" in ('limit', 'deny', 'grant'))
);
--> statement-breakpoint
CREATE TABLE "directory"."groups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory"."groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"name_key" text collate "C" NOT NULL,
	"external_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_name" CHECK (char_length("directory"."groups"."name") between 1 and 64 and "directory"."groups"."name" !~ '[[:cntrl:]]')
);
--> statement-breakpoint
CREATE TABLE "directory"."idempotency_keys" (
	"caller" bigint NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pk" PRIMARY KEY("caller","key")
);
--> statement-breakpoint
CREATE TABLE "directory"."memberships" (
	"user_id" bigint NOT NULL,
	"group_id" bigint NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	CONSTRAINT "memberships_pk" PRIMARY KEY("user_id","group_id"),
	CONSTRAINT "memberships_role" CHECK ("directory"."memberships"."role" in ('member', 'manager'))
);
--> statement-breakpoint
CREATE TABLE "directory"."policy" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"epoch" bigint DEFAULT 1 NOT NULL,
	CONSTRAINT "policy_one_row" CHECK ("directory"."policy"."only")
);
--> statement-breakpoint
CREATE TABLE "directory"."settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory"."sign_in_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"blocked_until" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory"."tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory"."tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"label" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory"."users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "directory"."users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"login" text NOT NULL,
	"login_key" text collate "C" NOT NULL,
	"email" text NOT NULL,
	"email_key" text collate "C" NOT NULL,
	"name" text,
	"pass_hash" text,
	"role" text DEFAULT 'user' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"policy_version" bigint DEFAULT 1 NOT NULL,
	"external_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_role" CHECK ("directory"."users"."role" in ('user', 'operator', 'admin')),
	CONSTRAINT "users_login" CHECK (char_length("directory"."users"."login") between 1 and 64 and "directory"."users"."login" !~ '[[:cntrl:]]'),
	CONSTRAINT "users_email" CHECK (octet_length("directory"."users"."email") between 3 and 254)
);
--> statement-breakpoint
ALTER TABLE "directory"."constraints" ADD CONSTRAINT "constraints_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "directory"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."constraints" ADD CONSTRAINT "constraints_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "directory"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "directory"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."memberships" ADD CONSTRAINT "memberships_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "directory"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "directory"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_at" ON "directory"."audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_target" ON "directory"."audit" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "directory"."audit" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "constraints_by_user" ON "directory"."constraints" USING btree ("user_id","id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "constraints_by_group" ON "directory"."constraints" USING btree ("group_id","id") WHERE group_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "groups_name_key" ON "directory"."groups" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "directory"."idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "memberships_by_group" ON "directory"."memberships" USING btree ("group_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_sha256" ON "directory"."tokens" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "tokens_by_user" ON "directory"."tokens" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_login_key" ON "directory"."users" USING btree ("login_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "directory"."users" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "users_created" ON "directory"."users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_administrators" ON "directory"."users" USING btree ("id") WHERE role = 'admin' and active;