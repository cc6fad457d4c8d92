CREATE TABLE "places" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"login" text NOT NULL,
	"memory" bigint NOT NULL,
	"cpu" double precision NOT NULL,
	"pids" integer NOT NULL,
	"ports" jsonb NOT NULL,
	"state" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "places_size" CHECK ("places"."memory" > 0 and "places"."cpu" > 0 and "places"."pids" > 0)
);
