CREATE TABLE "directory"."device_logins" (
	"sha256" "bytea" PRIMARY KEY NOT NULL,
	"user_code" text NOT NULL,
	"label" text NOT NULL,
	"address" text NOT NULL,
	"user_id" bigint,
	"declined" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "directory"."identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "directory"."identity_groups" (
	"user_id" bigint NOT NULL,
	"group_id" bigint NOT NULL,
	CONSTRAINT "identity_groups_pk" PRIMARY KEY("user_id","group_id")
);
--> statement-breakpoint
ALTER TABLE "directory"."device_logins" ADD CONSTRAINT "device_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "directory"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "directory"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."identity_groups" ADD CONSTRAINT "identity_groups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "directory"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "directory"."identity_groups" ADD CONSTRAINT "identity_groups_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "directory"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_logins_user_code" ON "directory"."device_logins" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "device_logins_by_user" ON "directory"."device_logins" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_logins_by_end" ON "directory"."device_logins" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_by_user" ON "directory"."identities" USING btree ("user_id","issuer");--> statement-breakpoint
CREATE INDEX "identity_groups_by_group" ON "directory"."identity_groups" USING btree ("group_id");