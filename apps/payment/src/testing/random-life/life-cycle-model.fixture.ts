/** Money that moved into or out of a payment's wallet; smallest units of a token worth a dollar with six decimals. */
export type ChainEvent =
  | { kind: 'deposit'; token: WalletToken; amount: bigint; sender: Sender }
  | { kind: 'executed'; taken: bigint }
  | { kind: 'withdrawn'; token: WalletToken; amount: bigint; acceptBlame: boolean };

/** The token that the payment asks for, or another one that the catalogue knows. */
export type WalletToken = 'asked' | 'other';

/** The payment's owner, or somebody else who sends money. */
export type Sender = 'owner' | 'stranger';

/** Facts of a payment with one leg, from outside the service: the model reads nothing else. */
export interface Truth {
  required: bigint;
  /** Whether the provider has reported the checkout as paid in time; both where it has told different things. */
  wasPaidInTime: readonly boolean[];
  /** A provider is asked, and waited for until the declaration expires. */
  hasCheckout: boolean;
  /** Unix seconds until which a full deposit counts, where no checkout was paid. */
  fundBy: number;
  /** Unix seconds of the declaration's expiry. */
  expiresAt: number;
  /** Final blocks, oldest first. */
  blocks: readonly { time: number; events: readonly ChainEvent[] }[];
  /** A submitted withdrawal is neither mined nor expired nor refused. */
  isWithdrawing: boolean;
  /** A step has failed for good. */
  hasStepFailed: boolean;
  /** The provider has failed or refunded the order. */
  wasOrderLost: boolean;
  /** A screening source has named the owner, or senders of more than the limit. */
  wasTainted: boolean;
}

export type ModelStatus = 'PENDING' | 'COMPLETE' | 'FAILED' | 'EXPIRED' | 'WITHDRAWN' | 'TAINTED';

/** Units of sanctioned senders that do not taint yet: a dollar. */
const TAINT_LIMIT = 1_000_000n;

/** Whether deposits of these senders exceed the limit in sum. */
export const exceedsLimit = (
  events: readonly ChainEvent[],
  isCounted: (sender: Sender) => boolean,
): boolean =>
  events.reduce(
    (sum, event) =>
      event.kind === 'deposit' && isCounted(event.sender) ? sum + event.amount : sum,
    0n,
  ) > TAINT_LIMIT;

/** Units of either token below which a rest is not worth a withdrawal: five cents. */
const DUST = 50_000n;

/** Statuses that the life-cycle table allows once the service has learned all of the truth. */
export function allowedStatuses(truth: Truth): Set<ModelStatus> {
  return new Set(truth.wasPaidInTime.flatMap((wasPaid) => [...replay(truth, wasPaid)]));
}

/** Follows the table over the final chain. A deadline may be applied at any later block, and has been after the last. */
function replay(truth: Truth, wasPaid: boolean): Set<ModelStatus> {
  const fundBy = wasPaid ? truth.expiresAt : truth.fundBy;
  const held = { asked: 0n, other: 0n };
  let inTime = 0n;
  const tainted: ModelStatus[] = truth.wasTainted ? ['TAINTED'] : [];
  let statuses = new Set<ModelStatus>(['PENDING', ...tainted]);
  let deadlines: ModelStatus[] = [];
  truth.blocks.forEach(({ time, events }, index) => {
    for (const event of events) {
      switch (event.kind) {
        case 'deposit':
          held[event.token] += event.amount;
          if (event.token === 'asked' && time <= fundBy) inTime += event.amount;
          break;
        case 'executed':
          held.asked -= event.taken;
          // A leg that was sent before the taint pays out, and leaves it.
          statuses = new Set(['COMPLETE', ...tainted]);
          break;
        case 'withdrawn':
          held[event.token] -= event.amount;
          break;
      }
    }
    // What is left counts after the whole block.
    const isEmpty = held.asked < DUST && held.other < DUST;
    const isMoreComing = hasDeposit(truth.blocks.slice(index + 1));
    for (const event of events) {
      if (event.kind !== 'withdrawn') continue;
      const { acceptBlame } = event;
      statuses = afterWithdrawal(statuses, { isEmpty, isMoreComing, acceptBlame });
    }
    const isFunded = inTime >= truth.required && held.asked >= truth.required;
    deadlines = passedDeadlines(truth, { time, isFunded: isFunded || wasPaid });
    if (statuses.has('PENDING')) deadlines.forEach((status) => statuses.add(status));
  });
  if (deadlines.length > 0 && !truth.isWithdrawing && !truth.wasOrderLost) {
    statuses.delete('PENDING');
  }
  return truth.wasTainted ? afterTaint(statuses) : statuses;
}

/** Only the chain ends a taint: by the leg sent before it, or by a withdrawal that leaves nothing. */
const afterTaint = (statuses: ReadonlySet<ModelStatus>): Set<ModelStatus> =>
  new Set(['TAINTED', ...[...statuses].filter((it) => it === 'WITHDRAWN' || it === 'COMPLETE')]);

function passedDeadlines(
  truth: Truth,
  { time, isFunded }: { time: number; isFunded: boolean },
): ModelStatus[] {
  const passed: ModelStatus[] = [];
  if (time > truth.fundBy && !isFunded) passed.push('EXPIRED');
  if (time > truth.expiresAt && (isFunded || truth.hasCheckout)) passed.push('FAILED');
  if (truth.hasStepFailed || truth.wasOrderLost) passed.push('FAILED');
  return passed;
}

interface MinedWithdrawal {
  isEmpty: boolean;
  /** A deposit follows, which the service may have seen without its confirmations. */
  isMoreComing: boolean;
  acceptBlame: boolean;
}

function afterWithdrawal(
  statuses: ReadonlySet<ModelStatus>,
  { isEmpty, isMoreComing, acceptBlame }: MinedWithdrawal,
): Set<ModelStatus> {
  return new Set(
    [...statuses].flatMap((status): ModelStatus[] => {
      if (status === 'COMPLETE') return [status];
      const left = acceptBlame && status === 'PENDING' ? 'EXPIRED' : status;
      if (!isEmpty) return [left];
      return isMoreComing && !acceptBlame ? ['WITHDRAWN', left] : ['WITHDRAWN'];
    }),
  );
}

const hasDeposit = (blocks: Truth['blocks']): boolean =>
  blocks.some(({ events }) => events.some(({ kind }) => kind === 'deposit'));

/** Changes of the reported status that the table allows from one write to the next. */
export const ALLOWED_CHANGES: Readonly<Record<ModelStatus, readonly ModelStatus[]>> = {
  PENDING: ['COMPLETE', 'FAILED', 'EXPIRED', 'WITHDRAWN', 'TAINTED'],
  EXPIRED: ['WITHDRAWN', 'COMPLETE', 'TAINTED'],
  FAILED: ['WITHDRAWN', 'TAINTED'],
  // A leg that was sent before the withdrawal pays out.
  WITHDRAWN: ['COMPLETE', 'TAINTED'],
  TAINTED: ['WITHDRAWN', 'COMPLETE'],
  COMPLETE: [],
};
