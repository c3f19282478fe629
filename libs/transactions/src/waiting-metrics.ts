import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import type { Address } from 'viem';
import { Signers } from './signers.js';

interface Waiting {
  chain: string;
  signer: Address;
  waiting: number;
  oldest: number;
  unsigned: number;
}

/** Reservations older than this count as unsigned. */
const UNSIGNED_AFTER_SECONDS = 30;

/** Counts the transactions that wait for each key, by one query at each scrape. */
@Injectable()
export class WaitingMetrics {
  private reading: Promise<Waiting[]> | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly signers: Signers,
    private readonly context: ServiceContext,
  ) {
    this.gauge(
      'chain_transactions_waiting',
      'Transactions of a key without an outcome.',
      ({ waiting }) => waiting,
    );
    this.gauge(
      'chain_transactions_oldest_seconds',
      'Age of the oldest transaction of a key without an outcome.',
      ({ oldest }) => oldest,
    );
    this.gauge(
      'chain_transactions_unsigned',
      `Nonces of a key reserved for more than ${UNSIGNED_AFTER_SECONDS} s without a signature.`,
      ({ unsigned }) => unsigned,
    );
    this.gauge(
      'chain_transactions_keyless',
      'Transactions without an outcome whose key is not configured: they cannot be signed or replaced.',
      ({ chain, signer, waiting }) => (this.signers.find(chain, signer) ? 0 : waiting),
    );
  }

  private gauge(name: string, help: string, valueOf: (waiting: Waiting) => number): void {
    const read = () => this.readOnce();
    new Gauge({
      name,
      help,
      labelNames: ['chain', 'signer'],
      registers: [this.context.metrics],
      async collect() {
        this.reset();
        for (const row of await read()) {
          this.set({ chain: row.chain, signer: row.signer }, valueOf(row));
        }
      },
    });
  }

  /** The gauges of a scrape are collected together and share its answer. */
  private readOnce(): Promise<Waiting[]> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** Returns nothing while the database is unavailable, so that the scrape still succeeds. */
  private async read(): Promise<Waiting[]> {
    try {
      return await this.dataSource.query(
        `SELECT chain, signer, count(*)::int AS waiting,
           extract(epoch FROM now() - min(created_at))::float8 AS oldest,
           count(*) FILTER (WHERE created_at < now() - interval '${UNSIGNED_AFTER_SECONDS} seconds' AND NOT EXISTS (
             SELECT FROM chain_transaction_attempts WHERE transaction_id = id))::int AS unsigned
         FROM chain_transactions WHERE due_at IS NOT NULL AND status = 'pending'
         GROUP BY chain, signer`,
      );
    } catch (error) {
      this.context.logger.debug({ err: error }, 'could not count waiting transactions');
      return [];
    }
  }
}
