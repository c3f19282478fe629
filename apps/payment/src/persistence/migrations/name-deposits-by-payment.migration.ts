import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Names a transfer within its payment and block: a node that shows it as one to another payment's wallet, or in another block,
 * too, keeps it from no payment and changes no deposit. A reorg removes deposits by their block. The version before fails
 * meanwhile to sum deposits of a payment that has many; it sets that one aside. Indexes concurrently, so outside a transaction
 * and repeatable.
 */
export class NameDepositsByPayment1799900000220 extends ForwardMigration {
  readonly transaction = false;

  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const STATEMENTS = [
  'DROP INDEX CONCURRENTLY IF EXISTS deposits_named_idx',
  `CREATE UNIQUE INDEX CONCURRENTLY deposits_named_idx
    ON deposits (payment_id, chain, transaction_hash, position, block_hash)`,
  'DROP INDEX CONCURRENTLY IF EXISTS deposits_transfer_idx',
];
