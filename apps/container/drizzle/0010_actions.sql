CREATE TABLE "actions" (
	"position" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "actions_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" uuid NOT NULL,
	"action" jsonb NOT NULL,
	CONSTRAINT "actions_id_unique" UNIQUE("id")
);
