import { afterEach, describe, expect, it } from '@jest/globals';
import { parseTokenIdentifier } from '@bascule/contracts';
import { LeaseLostError } from '@bascule/persistence';
import { interceptFaultPoints } from '@bascule/process/testing';
import { developmentAddresses } from '@bascule/solidity';
import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import { derive } from '../life-cycle/derive.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { DepositSumsRepository } from '../persistence/deposit-sums.repository.js';
import type { PastWithdrawalsRepository } from '../persistence/past-withdrawals.repository.js';
import type { TimelineRepository } from '../persistence/timeline.repository.js';
import type { Mutation, PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { OWNER, aDeposit, aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import type { PaymentBuilder } from '../testing/a-payment.fixture.js';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import type { SenderScreeningService } from '../screening/sender-screening.service.js';
import type { SenderScreeningWorker } from '../screening/sender-screening.worker.js';
import type { DepositWitnessesService } from './deposit-witnesses.service.js';
import type { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import type { ScannedBlock } from './scanned-chain.js';
import type { PaymentFailure, SetAsideRepository } from './set-aside.repository.js';
import type { Transfer } from './transfers.js';

const hash = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const wallet = (digit: string): Address => `0x${digit.repeat(40)}`;
const CHAIN = 'alphanet';

const aTransfer = (over: Partial<Transfer>): Transfer => ({
  token: developmentAddresses.usdc,
  from: OWNER,
  to: wallet('1'),
  amount: 100_000_000n,
  transactionHash: hash('d'),
  position: 'log:0',
  ...over,
});

const aBlock = (over: Partial<ScannedBlock> = {}): ScannedBlock => ({
  number: 20n,
  hash: hash('b'),
  parentHash: hash('a'),
  timestamp: minutesAfter(1),
  transfers: [],
  ...over,
});

/** The scanner's service over payments in memory, with the fault points that it passes. */
class Scan {
  readonly faults: string[] = [];
  /** Senders of deposits to screen, per change. */
  readonly senders: string[][] = [];
  /** Payments that cannot be written, with the reason. */
  readonly broken = new Map<string, Error>();
  /** Payments that are set aside. */
  readonly aside = new Set<string>();
  /** Payments whose deposits need two nodes. */
  readonly large = new Set<string>();
  /** Tokens of payments' plans, as `<payment>/<token>`. */
  readonly planned = new Set<string>();
  /** Runs before each transaction. */
  before: () => void = () => undefined;
  /** Work that the last call left. */
  failed: PaymentFailure[] = [];
  private readonly payments: Map<string, PaymentRecord>;
  private isInTransaction = false;
  private readonly service: DepositsService;

  constructor(...payments: PaymentBuilder[]) {
    this.payments = new Map(
      payments.map((payment, index) => {
        const record = payment.with({ walletAddress: wallet(`${index + 1}`) }).build();
        return [record.id, record];
      }),
    );
    interceptFaultPoints((point) =>
      this.faults.push(`${point} ${this.isInTransaction ? 'before' : 'after'} the commit`),
    );
    this.service = new DepositsService(
      new PaymentRecorderService(
        this.store() as PaymentStoreRepository,
        {} as DepositSumsRepository,
        {
          recallFrom: () => Promise.resolve(false),
        } as Partial<PastWithdrawalsRepository> as PastWithdrawalsRepository,
        this.senderScreening() as SenderScreeningService,
        { omit: () => Promise.resolve() } as Partial<TimelineRepository> as TimelineRepository,
      ),
      this.repository() as DepositRepository,
      {
        describe: (tokens) => Promise.resolve(tokens.flatMap((token) => this.describe(token))),
      } as Partial<AssetDirectoryRepository> as AssetDirectoryRepository,
      {
        among: () => Promise.resolve(this.aside),
      } as Partial<SetAsideRepository> as SetAsideRepository,
      {
        areNeeded: (_manager, _chain, paymentId) =>
          Promise.resolve(this.isInTransaction && this.large.has(paymentId)),
      } as Partial<DepositWitnessesService> as DepositWitnessesService,
      this.senderWorker() as SenderScreeningWorker,
    );
  }

  async record(...blocks: ScannedBlock[]): Promise<PaymentRecord[]> {
    this.failed = await this.service.record(this.guard(), CHAIN, blocks);
    return [...this.payments.values()];
  }

  async confirm(upTo: bigint, setAside: readonly PaymentFailure[] = []): Promise<boolean> {
    const { isFunded, failed } = await this.service.confirm(
      this.guard(),
      { name: CHAIN, endpoints: [] },
      upTo,
      setAside,
    );
    this.failed = failed;
    return isFunded;
  }

  async undo(above: bigint): Promise<PaymentRecord[]> {
    this.failed = await this.service.undo(this.guard(), CHAIN, above);
    return [...this.payments.values()];
  }

  remove(): void {
    this.payments.clear();
  }

  private store(): Partial<PaymentStoreRepository> {
    return {
      change: async (_manager, id, mutate, prepare) => {
        const error = this.broken.get(id);
        if (error !== undefined) throw error;
        const payment = this.payments.get(id);
        if (payment !== undefined) await prepare?.(payment, minutesAfter(2));
        return this.change(id, mutate);
      },
    };
  }

  private change(id: string, mutate: Mutation): Promise<PaymentRecord | null> {
    const payment = this.payments.get(id);
    if (payment === undefined) return Promise.resolve(null);
    const changed = derive(mutate(payment, minutesAfter(2)), minutesAfter(2));
    this.payments.set(id, changed);
    return Promise.resolve(changed);
  }

  private senderScreening(): Partial<SenderScreeningService> {
    return {
      arrived: (_manager, _paymentId, senders) => {
        this.senders.push([...senders]);
        return Promise.resolve((payment) => payment);
      },
      recheck: () => Promise.resolve(),
    };
  }

  private senderWorker(): Partial<SenderScreeningWorker> {
    return { wake: () => undefined };
  }

  private repository(): Partial<DepositRepository> {
    const all = [...this.payments.keys()];
    const deposited = (matches: (deposit: PaymentRecord['deposits'][number]) => boolean) =>
      Promise.resolve(
        [...this.payments.values()]
          .filter(({ deposits }) => deposits.some(matches))
          .map(({ id }) => id),
      );
    return {
      plannedTokens: () => Promise.resolve(this.planned),
      toWallets: <T extends Pick<Transfer, 'to'>>(transfers: readonly T[]) =>
        Promise.resolve(
          new Map(
            [...this.payments.values()].flatMap(({ id, walletAddress }) => {
              const found = transfers.filter(({ to }) => to === walletAddress);
              return found.length > 0 ? [[id, found] as const] : [];
            }),
          ),
        ),
      orphaned: (chain, from, to, hashes) =>
        deposited(
          ({ chain: where, blockNumber, blockHash }) =>
            where === chain &&
            blockNumber >= from &&
            blockNumber <= to &&
            !hashes.includes(blockHash),
        ),
      above: (chain, height) =>
        deposited(({ chain: where, blockNumber }) => where === chain && blockNumber > height),
      // Ids as of before: a payment may be removed meanwhile.
      unconfirmed: () => Promise.resolve(all),
    };
  }

  private describe(token: string) {
    const isListed = token === USDC || token === USDT;
    return isListed ? [{ token, decimals: 6, usdPrice: token === USDC ? '1' : '0.9998' }] : [];
  }

  private guard(): ScanGuardRepository {
    const guard: Partial<ScanGuardRepository> = {
      transaction: async (write) => {
        this.before();
        this.isInTransaction = true;
        const result = await write({} as EntityManager);
        this.isInTransaction = false;
        return result;
      },
    };
    return guard as ScanGuardRepository;
  }
}

afterEach(() => interceptFaultPoints(undefined));

describe('DepositsService.record', () => {
  const seen = { blockNumber: 20n, blockHash: hash('b'), confirmed: false };

  it('removes a deposit of an interrupted scan whose block a reorg has replaced', async () => {
    const [payment] = await new Scan(aPayment().deposited(seen)).record(
      aBlock({ hash: hash('c') }),
    );
    expect(payment?.deposits).toEqual([]);
  });

  it('keeps a deposit of an interrupted scan whose block is still on the chain', async () => {
    const [payment] = await new Scan(aPayment().deposited(seen)).record(aBlock());
    expect(payment?.deposits).toHaveLength(1);
  });

  it('gives each payment what arrived at its wallet', async () => {
    const usdt = parseTokenIdentifier(USDT).address;
    const transfers = [
      aTransfer({}),
      aTransfer({ token: usdt, amount: 7n, position: 'log:1' }),
      aTransfer({ to: wallet('2'), amount: 9n, position: 'log:2' }),
    ];
    const [first, second] = await new Scan(aPayment(), aPayment()).record(aBlock({ transfers }));
    const at = { chain: CHAIN, blockNumber: 20n, blockHash: hash('b'), confirmed: false };
    expect(first?.deposits).toMatchObject([
      { token: USDC, amount: 100_000_000n, usdPrice: '1', ...at },
      { token: USDT, amount: 7n, usdPrice: '0.9998', ...at },
    ]);
    expect(second?.deposits).toMatchObject([{ token: USDC, amount: 9n, ...at }]);
  });

  it('ignores tokens that are neither planned nor listed', async () => {
    const transfers = [aTransfer({ token: developmentAddresses.wbtc })];
    const [payment] = await new Scan(aPayment()).record(aBlock({ transfers }));
    expect(payment?.deposits).toEqual([]);
  });

  it('has the senders of deposits screened, and no others', async () => {
    const scan = new Scan(aPayment());
    const transfers = [
      aTransfer({ from: wallet('a') }),
      aTransfer({ from: wallet('c'), token: developmentAddresses.wbtc, position: 'log:1' }),
    ];
    await scan.record(aBlock({ transfers }));
    expect(scan.senders).toEqual([[wallet('a')]]);
    await scan.record(aBlock({ transfers }));
    expect(scan.senders).toEqual([[wallet('a')]]);
  });

  it('changes nothing without blocks', async () => {
    const [payment] = await new Scan(aPayment().deposited(seen)).record();
    expect(payment?.deposits).toHaveLength(1);
  });

  it('can be interrupted before and after each commit', async () => {
    const scan = new Scan(aPayment());
    await scan.record(aBlock({ transfers: [aTransfer({})] }));
    expect(scan.faults).toEqual([
      'payment.deposit-seen before the commit',
      'payment.deposit-seen after the commit',
    ]);
  });
});

describe('DepositsService.confirm', () => {
  const holding = (amount: bigint) =>
    aPayment().deposited({ blockNumber: 20n, confirmed: false, amount });
  const full = () => holding(100_000_000n);
  const half = () => holding(50_000_000n);

  it('returns true when a payment became funded in full', async () => {
    const scan = new Scan(full(), half());
    expect(await scan.confirm(20n)).toBe(true);
    expect(scan.faults).toEqual([
      'payment.funded before the commit',
      'payment.funded after the commit',
    ]);
  });

  it('returns false when none became funded in full', async () => {
    const scan = new Scan(half());
    expect(await scan.confirm(20n)).toBe(false);
    expect(scan.faults).toEqual([]);
  });

  it('leaves deposits to two nodes that are large once the transaction begins', async () => {
    const payment = full().build();
    const scan = new Scan(full().with({ id: payment.id }));
    scan.before = () => scan.large.add(payment.id);
    expect(await scan.confirm(20n)).toBe(false);
    expect(scan.failed).toEqual([{ paymentId: payment.id, blocks: [] }]);
  });

  it('confirms no deposit above the height', async () => {
    expect(await new Scan(full()).confirm(19n)).toBe(false);
  });

  it('skips a payment that no longer exists', async () => {
    const scan = new Scan(full());
    scan.remove();
    expect(await scan.confirm(20n)).toBe(false);
  });
});

describe('DepositsService.undo', () => {
  it('removes deposits above the height and keeps those at it', async () => {
    const kept = aDeposit({ blockNumber: 20n });
    const payment = aPayment().deposited(kept).deposited({ blockNumber: 21n });
    const [undone] = await new Scan(payment).undo(20n);
    expect(undone?.deposits).toEqual([kept]);
  });
});

describe('DepositsService with a payment that cannot be written', () => {
  const transfers = [aTransfer({}), aTransfer({ to: wallet('2'), position: 'log:1' })];
  const broken = new Error('the event is too large');

  async function scanOfTwo(): Promise<{ scan: Scan; paymentId: string }> {
    const scan = new Scan(aPayment(), aPayment());
    const [first] = await scan.record();
    const paymentId = first?.id ?? '';
    scan.broken.set(paymentId, broken);
    return { scan, paymentId };
  }

  it('records the others, and returns its blocks', async () => {
    const { scan, paymentId } = await scanOfTwo();
    const [, second] = await scan.record(aBlock({ transfers }));
    expect(second?.deposits).toHaveLength(1);
    expect(scan.failed).toEqual([{ paymentId, blocks: [20n], error: broken }]);
  });

  it('only notes the blocks of one that is set aside', async () => {
    const { scan, paymentId } = await scanOfTwo();
    scan.broken.clear();
    scan.aside.add(paymentId);
    const [first, second] = await scan.record(aBlock({ transfers }));
    expect([first, second].map((payment) => payment?.deposits.length)).toEqual([0, 1]);
    expect(scan.failed).toEqual([{ paymentId, blocks: [20n] }]);
  });

  it('notes no block for tokens that it would not record', async () => {
    const { scan, paymentId } = await scanOfTwo();
    scan.broken.clear();
    scan.aside.add(paymentId);
    const worthless = aTransfer({ token: wallet('9') });
    await scan.record(aBlock({ transfers: [worthless] }));
    expect(scan.failed).toEqual([]);
    const planned = `${paymentId}/alphanet:${wallet('9')}`;
    scan.planned.add(planned);
    await scan.record(aBlock({ transfers: [worthless] }));
    expect(scan.failed).toEqual([{ paymentId, blocks: [20n] }]);
  });

  it('confirms the others', async () => {
    const { scan, paymentId } = await scanOfTwo();
    scan.broken.clear();
    await scan.record(aBlock({ transfers }));
    scan.broken.set(paymentId, broken);
    expect(await scan.confirm(20n)).toBe(true);
    expect(scan.failed).toEqual([{ paymentId, blocks: [], error: broken }]);
  });

  it('confirms none of a payment whose withdrawal the pass sets aside', async () => {
    const { scan, paymentId } = await scanOfTwo();
    scan.broken.clear();
    const [first, second] = await scan.record(aBlock({ transfers }));
    await scan.confirm(20n, [{ paymentId, blocks: [20n], isInTurn: true }]);
    expect(scan.failed).toEqual([]);
    const [after, other] = await scan.record();
    expect(first?.id).toBe(paymentId);
    expect(after?.deposits).toEqual(first?.deposits);
    expect(other?.deposits).not.toEqual(second?.deposits);
  });

  it('undoes the others after a reorg, and returns the height', async () => {
    const { scan, paymentId } = await scanOfTwo();
    scan.broken.clear();
    await scan.record(aBlock({ transfers }));
    scan.broken.set(paymentId, broken);
    const [, second] = await scan.undo(19n);
    expect(second?.deposits).toEqual([]);
    expect(scan.failed).toEqual([{ paymentId, blocks: [], reorgFrom: 20n, error: broken }]);
  });

  it('records nothing where the deposits of a replaced block remain, and returns the blocks', async () => {
    const scan = new Scan(aPayment().deposited({ blockNumber: 20n, confirmed: false }));
    const [before] = await scan.record();
    const paymentId = before?.id ?? '';
    scan.broken.set(paymentId, broken);
    let writes = 0;
    scan.before = () => {
      writes += 1;
      if (writes > 1) scan.broken.clear();
    };
    const replaced = aBlock({ hash: hash('c'), transfers: [aTransfer({})] });
    expect(await scan.record(replaced)).toEqual([before]);
    expect(scan.failed).toEqual([{ paymentId, blocks: [20n], reorgFrom: 20n, error: broken }]);
  });

  it.each([
    ['the lease is lost', new LeaseLostError('scanner:alphanet')],
    ['the database is unavailable', Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })],
  ])('ends the pass where %s', async (_what, error) => {
    const { scan, paymentId } = await scanOfTwo();
    scan.broken.set(paymentId, error);
    await expect(scan.record(aBlock({ transfers }))).rejects.toBe(error);
  });
});
