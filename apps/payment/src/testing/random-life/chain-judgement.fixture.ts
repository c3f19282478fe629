import { eventually } from '@bascule/testing';
import { expect } from '@jest/globals';
import { getAddress } from 'viem';
import type { PaymentRecord } from '../../life-cycle/payment-record.js';
import { holdings } from '../../life-cycle/wallet-ledger.js';
import { balancesOf, readBlocks, TOKENS } from './chain-facts.fixture.js';
import { CONFIRMATIONS, FEE, FUNDS, REQUIRED } from './chain-world.fixture.js';
import type { ChainWorld } from './chain-world.fixture.js';
import {
  ALLOWED_CHANGES,
  allowedStatuses,
  exceedsLimit,
  type ChainEvent,
  type ModelStatus,
  type Sender,
  type Truth,
  type WalletToken,
} from './life-cycle-model.fixture.js';

/** Lets everybody finish, and holds the payment against the model and its money against the chain. */
export async function settle(world: ChainWorld): Promise<ModelStatus[]> {
  await world.recover();
  let version: number | null = null;
  return eventually(
    async () => {
      const judged = version;
      version = null;
      await world.learnAll();
      const payment = await world.stage.stack.read(world.payment.id);
      const statuses = await judge(world, payment);
      version = payment.version;
      // Another round has changed nothing.
      expect(judged).toBe(version);
      return statuses;
    },
    { timeoutMs: 80_000 },
  );
}

/** Returns the statuses that the payment has had, in order. */
async function judge(world: ChainWorld, payment: PaymentRecord): Promise<ModelStatus[]> {
  const { stack } = world.stage;
  const head = await stack.node.getBlockNumber();
  const owner = world.parties.owner.address;
  const blocks = await readBlocks(
    stack,
    { wallet: getAddress(payment.walletAddress), owner },
    { from: world.firstBlock, to: head - BigInt(CONFIRMATIONS) + 1n },
  );
  const events = blocks.flatMap((block) => block.events);
  const statuses = await statusesOf(world);
  await expectMoneyToAddUp(world, payment, events);
  expectBooksOfChain(payment, events, await balancesOf(stack, payment.walletAddress));
  const wasTainted = statuses.includes('TAINTED');
  const truth = truthOf(world, payment, { blocks, wasTainted });
  expect([...allowedStatuses(truth)]).toContain(statuses.at(-1));
  expectAllowedChanges(statuses);
  expectExecutedOnce(events, statuses);
  if (wasTainted) expectListed(world, events);
  await expectTaint(world, events, statuses);
  expectFailedByTarget(world, truth);
  if (isOwed(truth, world)) {
    expect(statuses.at(-1)).toBe(truth.hasStepFailed ? 'FAILED' : 'COMPLETE');
  }
  expect(world.withdrawals.isAnyOpen).toBe(false);
  expect(payment.status).toBe(statuses.at(-1));
  expect(await completions(world)).toBe(statuses.at(-1) === 'COMPLETE' ? 1 : 0);
  return statuses;
}

function truthOf(
  world: ChainWorld,
  { legs }: PaymentRecord,
  { blocks, wasTainted }: Pick<Truth, 'blocks' | 'wasTainted'>,
): Truth {
  return {
    required: REQUIRED,
    wasPaidInTime: [...world.wasPaidInTime],
    hasCheckout: world.payment.plan.funding.kind === 'onramp',
    ...world.deadlines,
    blocks,
    // Every withdrawal ends.
    isWithdrawing: false,
    // The declaration's expiry is the model's to judge.
    hasStepFailed: legs.some(
      ({ status, failure }) => status === 'FAILED' && failure?.reason !== 'expired',
    ),
    wasOrderLost: world.wasOrderLost,
    wasTainted,
  };
}

/** Statuses of the timeline, without those of open withdrawals. */
async function statusesOf({ stage, payment }: ChainWorld): Promise<ModelStatus[]> {
  const changes = await stage.stack.sql<{ status: ModelStatus }>(
    `SELECT facts->>'status' AS status FROM timeline_entries
     WHERE payment_id = $1 AND type = 'payment.status_changed'
       AND facts->>'status' <> 'WITHDRAW_PENDING' ORDER BY sequence`,
    [payment.id],
  );
  const all: ModelStatus[] = ['PENDING', ...changes.map(({ status }) => status)];
  return all.filter((status, index) => status !== all[index - 1]);
}

function expectAllowedChanges(statuses: readonly ModelStatus[]): void {
  for (const [index, to] of statuses.slice(1).entries()) {
    const from = statuses[index];
    if (from) expect(ALLOWED_CHANGES[from]).toContain(to);
  }
}

const sumOf = (
  events: readonly ChainEvent[],
  kind: 'deposit' | 'withdrawn',
  isCounted: (event: Extract<ChainEvent, { token: WalletToken }>) => boolean,
): bigint =>
  events.reduce(
    (sum, event) => (event.kind === kind && isCounted(event) ? sum + event.amount : sum),
    0n,
  );

/** Every unit that came in is in the wallet, delivered, a fee, or with the owner; nothing is paid twice. */
async function expectMoneyToAddUp(
  { stage, parties }: ChainWorld,
  payment: PaymentRecord,
  events: readonly ChainEvent[],
): Promise<void> {
  const holders = {
    wallet: payment.walletAddress,
    destination: payment.destinationAddress,
    fees: parties.feeReceiver,
    owner: parties.owner.address,
    stranger: parties.stranger.address,
  };
  const isExecuted = events.some(({ kind }) => kind === 'executed');
  for (const token of ['asked', 'other'] as const) {
    const isPaid = isExecuted && token === 'asked';
    const delivered = isPaid ? REQUIRED - FEE : 0n;
    const fees = isPaid ? FEE : 0n;
    const depositedBy = (sender: Sender) =>
      sumOf(
        events,
        'deposit',
        (it) => it.token === token && 'sender' in it && it.sender === sender,
      );
    const [byOwner, byStranger] = [depositedBy('owner'), depositedBy('stranger')];
    const withdrawn = sumOf(events, 'withdrawn', (it) => it.token === token);
    const held = Object.entries(holders).map(async ([name, holder]) => {
      const { [token]: amount } = await balancesOf(stage.stack, holder);
      return [name, amount] as const;
    });
    expect(Object.fromEntries(await Promise.all(held))).toEqual({
      wallet: byOwner + byStranger - withdrawn - delivered - fees,
      destination: delivered,
      fees,
      owner: FUNDS - byOwner + withdrawn,
      stranger: FUNDS - byStranger,
    });
  }
}

/** The service's books name the money that is in the wallet. */
function expectBooksOfChain(
  payment: PaymentRecord,
  events: readonly ChainEvent[],
  wallet: Record<WalletToken, bigint>,
): void {
  const booked = new Map(holdings(payment).map(({ token, amount }) => [token, amount]));
  for (const token of ['asked', 'other'] as const) {
    expect(booked.get(TOKENS[token]) ?? 0n).toBe(wallet[token]);
  }
  expect(payment.funded).toBe(events.some(({ kind }) => kind === 'deposit'));
}

function expectExecutedOnce(events: readonly ChainEvent[], statuses: readonly ModelStatus[]): void {
  const executed = events.filter(({ kind }) => kind === 'executed').length;
  const isComplete = statuses.at(-1) === 'COMPLETE';
  if (statuses.includes('TAINTED')) expect(executed).toBeLessThanOrEqual(1);
  else expect(executed).toBe(isComplete ? 1 : 0);
}

/** Only a listed owner, or deposits of listed senders beyond the limit, taint. */
function expectListed({ everListed }: ChainWorld, events: readonly ChainEvent[]): void {
  const isExceeded = exceedsLimit(events, (sender) => everListed.has(sender));
  expect(everListed.has('owner') || isExceeded).toBe(true);
}

/** Answers that name senders of more than the limit taint. */
async function expectTaint(
  { stage, payment, parties }: ChainWorld,
  events: readonly ChainEvent[],
  statuses: readonly ModelStatus[],
): Promise<void> {
  const rows = await stage.stack.sql<{ address: string }>(
    'SELECT address FROM sender_screenings WHERE payment_id = $1 AND sanctioned',
    [payment.id],
  );
  const named = new Set(rows.map(({ address }) => address));
  const isNamed = (sender: Sender) => named.has(parties[sender].address.toLowerCase());
  if (!exceedsLimit(events, isNamed)) return;
  expect(['TAINTED', 'WITHDRAWN', 'COMPLETE']).toContain(statuses.at(-1));
}

/** A step fails for good only while its action reverts. */
function expectFailedByTarget({ target }: ChainWorld, { hasStepFailed }: Truth): void {
  if (hasStepFailed) expect(target.isReverting).toBe(true);
}

/** Funded in time, and nobody stands against it: the payment has to be paid out, or to fail by its action. */
function isOwed(truth: Truth, { everListed }: ChainWorld): boolean {
  const events = truth.blocks.flatMap((block) => block.events);
  const inTime = truth.blocks
    .filter(({ time }) => time <= truth.fundBy)
    .flatMap((block) => block.events);
  const isExpired = truth.blocks.some(({ time }) => time > truth.expiresAt);
  const isObjected = everListed.size > 0 || truth.wasOrderLost || isExpired;
  const isTouched = events.some(({ kind }) => kind === 'withdrawn');
  const arrived = sumOf(inTime, 'deposit', ({ token }) => token === 'asked');
  return arrived >= truth.required && !isObjected && !isTouched;
}

/** Published completions, once everything is published. */
async function completions({ stage, payment }: ChainWorld): Promise<number> {
  expect(await stage.stack.sql('SELECT 1 FROM outbox')).toEqual([]);
  const events = await stage.stack.sql(
    `SELECT 1 FROM event_log.records
     WHERE key = $1 AND convert_from(value, 'UTF8')::jsonb->>'type' = 'payment.completed'`,
    [payment.id],
  );
  return events.length;
}
