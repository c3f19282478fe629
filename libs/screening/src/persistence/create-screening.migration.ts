import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class CreateScreening1797700000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE screenings (
         reference text NOT NULL,
         purpose text NOT NULL,
         address text NOT NULL,
         source text NOT NULL,
         verdict text NOT NULL,
         first_at timestamptz NOT NULL DEFAULT now(),
         last_at timestamptz NOT NULL DEFAULT now(),
         times integer NOT NULL DEFAULT 1,
         PRIMARY KEY (reference, purpose, address, source, verdict)
       )`,
    );
    await queryRunner.query('CREATE INDEX screenings_address_idx ON screenings (address)');
    await queryRunner.query(
      `CREATE TABLE screening_allowances (
         reference text PRIMARY KEY,
         owner text NOT NULL,
         usd numeric NOT NULL,
         allowed_at timestamptz NOT NULL DEFAULT now()
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX screening_allowances_owner_allowed_at_idx ON screening_allowances (owner, allowed_at)',
    );
  }
}
