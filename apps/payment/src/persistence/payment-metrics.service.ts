import { KEY_MODES } from '@bascule/contracts';
import type { KeyMode } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { IS_OPEN } from './open-payments.js';

interface OpenPayments {
  mode: KeyMode;
  status: string;
  count: string;
  oldest: number | null;
}

interface BridgedMoney {
  mode: KeyMode;
  status: string;
  count: string;
  oldest: number | null;
}

/** Counts open payments at each scrape through their partial index, and status changes as they happen. */
@Injectable()
export class PaymentMetricsService {
  private readonly changes: Counter<'status' | 'mode'>;
  private readonly lost: Counter<'mode'>;

  constructor(
    private readonly dataSource: DataSource,
    { metrics }: ServiceContext,
  ) {
    this.changes = new Counter({
      name: 'payments_status_changes_total',
      help: 'Changes of payments to a status, counted by the process that made them.',
      labelNames: ['status', 'mode'],
      registers: [metrics],
    });
    this.lost = new Counter({
      name: 'payments_bridge_transfers_lost_total',
      help: 'Transfers released by the bridge without a delivery.',
      labelNames: ['mode'],
      registers: [metrics],
    });
    const readOpen = (): Promise<OpenPayments[] | null> => this.open();
    new Gauge({
      name: 'payments_open',
      help: 'Open payments by status.',
      labelNames: ['status', 'mode'],
      registers: [metrics],
      async collect() {
        const open = await readOpen();
        if (open === null) return;
        this.reset();
        for (const { status, mode, count } of open) this.set({ status, mode }, Number(count));
      },
    });
    new Gauge({
      name: 'payments_oldest_funded_seconds',
      help: 'Seconds since full funding of the open payment that has waited longest.',
      labelNames: ['mode'],
      registers: [metrics],
      async collect() {
        const open = await readOpen();
        if (open === null) return;
        for (const mode of KEY_MODES) this.set({ mode }, oldestOf(mode, open));
      },
    });
    const readBridged = (): Promise<BridgedMoney[] | null> => this.bridged();
    new Gauge({
      name: 'payments_bridge_transfers',
      help: 'Open transfers, and unfilled ones without a refund, by status.',
      labelNames: ['status', 'mode'],
      registers: [metrics],
      async collect() {
        const bridged = await readBridged();
        if (bridged === null) return;
        this.reset();
        for (const { status, mode, count } of bridged)
          this.set({ status: status.toLowerCase(), mode }, Number(count));
      },
    });
    new Gauge({
      name: 'payments_oldest_bridge_transfer_seconds',
      help: 'Seconds since the oldest open transfer left its chain.',
      labelNames: ['mode'],
      registers: [metrics],
      async collect() {
        const bridged = await readBridged();
        if (bridged === null) return;
        const open = bridged.filter(({ status }) => status === 'OPEN');
        for (const mode of KEY_MODES) this.set({ mode }, oldestOf(mode, open));
      },
    });
  }

  changed(before: PaymentRecord | null, after: PaymentRecord): void {
    const { status, mode } = after;
    if (before?.status !== status) this.changes.inc({ status, mode });
    this.lost.inc(
      { mode },
      Math.max(0, lostTransfers(after) - (before ? lostTransfers(before) : 0)),
    );
  }

  /** Null while the database is unavailable: the scrape succeeds, and the gauge keeps its last value. */
  private open(): Promise<OpenPayments[] | null> {
    const read: Promise<OpenPayments[]> = this.dataSource.query(
      `SELECT status, mode, count(*) AS count,
         extract(epoch FROM now() - min(funded_in_full_at))::float8 AS oldest
       FROM payments WHERE ${IS_OPEN} GROUP BY status, mode`,
    );
    return read.catch(() => null);
  }

  private bridged(): Promise<BridgedMoney[] | null> {
    const read: Promise<BridgedMoney[]> = this.dataSource.query(
      `SELECT transfer->>'status' AS status, mode, count(*) AS count,
         extract(epoch FROM now() - min((settlement->>'blockTimestamp')::timestamptz))::float8 AS oldest
       FROM legs JOIN payments ON payments.id = legs.payment_id
       WHERE transfer->>'status' IN ('OPEN', 'UNFILLED') GROUP BY 1, 2`,
    );
    return read.catch(() => null);
  }
}

/** Largest age in seconds among the rows of a mode. */
const oldestOf = (
  mode: KeyMode,
  rows: readonly { mode: KeyMode; oldest: number | null }[],
): number =>
  Math.max(0, ...rows.filter((row) => row.mode === mode).map(({ oldest }) => oldest ?? 0));

const lostTransfers = ({ legs }: PaymentRecord): number =>
  legs.filter(({ transfer }) => transfer?.status === 'LOST').length;
