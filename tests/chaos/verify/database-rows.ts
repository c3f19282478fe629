import type { IntentOrderStatus, TokenAmount, TokenIdentifier } from '@bascule/contracts';
import { Pool, type QueryResultRow } from 'pg';

export interface PaymentRow {
  id: string;
  status: string;
  version: number;
  legTokens: { input: TokenIdentifier; output: TokenIdentifier }[];
}

export interface DepositRow {
  paymentId: string;
  token: TokenIdentifier;
  amount: string;
  hash: string;
  blockNumber: string;
  confirmed: boolean;
}

export interface LegRow {
  paymentId: string;
  index: number;
  status: string;
  hash: string | null;
  settlement: { input: string; fees: string[]; output: string; blockNumber: string } | null;
  /** Bridge transfer of the leg, as the payment service recorded it. */
  transfer: {
    transfer: { id: string };
    status: IntentOrderStatus;
    filled: { amount: string; transactionHash: string } | null;
  } | null;
}

/** Orders at the solver. */
export interface SolverOrderRow {
  id: string;
  status: string;
}

/** Withdrawals at the payment service. */
export interface PaymentWithdrawalRow {
  paymentId: string;
  chain: string;
  nonce: string;
  withdrawId: string;
  status: string;
  mined: {
    transactionHash: string;
    blockNumber: string;
    remaining: { token: TokenIdentifier; amount: string }[];
  } | null;
}

/** Withdrawals at the withdrawal service. */
export interface WithdrawalRow {
  id: string;
  paymentId: string;
  status: string;
  submitted: boolean;
  tokenAmounts: TokenAmount[];
  hash: string | null;
}

export interface DeliveryRow {
  id: string;
  hook: string;
  paymentId: string;
  eventType: string;
  status: string;
  attempts: number;
}

/** Rows of all services about some payments. */
export interface DatabaseRows {
  payments: PaymentRow[];
  deposits: DepositRow[];
  legs: LegRow[];
  paymentWithdrawals: PaymentWithdrawalRow[];
  withdrawals: WithdrawalRow[];
  deliveries: DeliveryRow[];
  /** Orders of all payments. */
  solverOrders: SolverOrderRow[];
}

/** Queries all schemas as the superuser; for tests only. */
export class Superuser {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, application_name: 'chaos', max: 3 });
    // A server that is restarted ends its sessions; the next query opens another.
    this.#pool.on('error', () => undefined);
  }

  async rows<T extends QueryResultRow>(sql: string, ...values: unknown[]): Promise<T[]> {
    return (await this.#pool.query<T>(sql, values)).rows;
  }

  async count(from: string, ...values: unknown[]): Promise<number> {
    const [row] = await this.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${from}`,
      ...values,
    );
    return row?.n ?? 0;
  }

  /** The schemas that have a table of this name. */
  async schemasWith(table: string): Promise<string[]> {
    const rows = await this.rows<{ schema: string }>(
      `SELECT table_schema AS schema FROM information_schema.tables
       WHERE table_name = $1 AND table_schema NOT LIKE 'pg\\_%' ORDER BY 1`,
      table,
    );
    return rows.map(({ schema }) => schema);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

export async function readDatabaseRows(db: Superuser, paymentIds: string[]): Promise<DatabaseRows> {
  return {
    payments: await db.rows<PaymentRow>(
      `SELECT id, status, version, (
         SELECT json_agg(json_build_object('input', leg->>'input_token', 'output', leg->>'output_token'))
         FROM jsonb_array_elements(plan->'legs') AS leg
       ) AS "legTokens" FROM payment.payments WHERE id = ANY($1)`,
      paymentIds,
    ),
    deposits: await db.rows<DepositRow>(
      `SELECT payment_id AS "paymentId", token, amount::text, transaction_hash AS hash,
         block_number AS "blockNumber", confirmed
       FROM payment.deposits WHERE payment_id = ANY($1)`,
      paymentIds,
    ),
    legs: await db.rows<LegRow>(
      `SELECT payment_id AS "paymentId", leg_index AS index, status, transaction_hash AS hash, settlement,
         transfer
       FROM payment.legs WHERE payment_id = ANY($1)`,
      paymentIds,
    ),
    paymentWithdrawals: await db.rows<PaymentWithdrawalRow>(
      `SELECT payment_id AS "paymentId", chain, nonce::text, withdraw_id AS "withdrawId", status, landed AS mined
       FROM payment.withdrawals WHERE payment_id = ANY($1)`,
      paymentIds,
    ),
    withdrawals: await db.rows<WithdrawalRow>(
      `SELECT id, payment_id AS "paymentId", status, submitted, token_amounts AS "tokenAmounts",
         transaction_hash AS hash
       FROM withdrawal.withdrawals WHERE payment_id = ANY($1)`,
      paymentIds,
    ),
    deliveries: await db.rows<DeliveryRow>(
      `SELECT d.id, w.label AS hook, d.workflow_id AS "paymentId", d.event_type AS "eventType",
         d.status, d.attempts
       FROM webhook_dispatch.webhook_delivery_log d JOIN webhook_dispatch.webhooks w ON w.id = d.webhook_id
       WHERE d.workflow_id = ANY($1)`,
      paymentIds,
    ),
    solverOrders: await db.rows<SolverOrderRow>('SELECT id, status FROM solver.orders'),
  };
}
