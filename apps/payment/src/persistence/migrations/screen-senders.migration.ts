import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

export class ScreenSenders1797700000001 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE sender_screenings (
         id uuid PRIMARY KEY,
         payment_id uuid NOT NULL,
         address text NOT NULL,
         sanctioned boolean,
         due_at timestamptz,
         UNIQUE (payment_id, address)
       )`,
    );
    await queryRunner.query(
      'CREATE INDEX sender_screenings_due_at_idx ON sender_screenings (due_at) WHERE due_at IS NOT NULL',
    );
  }
}
