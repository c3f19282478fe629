import { parseTokenIdentifier } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { FaultTrap, SanctionedFile } from '@bascule/testing';
import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { erc20Abi, getAddress, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { CallbackService } from '../../checkout/callback.service.js';
import { CheckoutService } from '../../checkout/checkout.service.js';
import type { PaymentRecord } from '../../life-cycle/payment-record.js';
import { anOnrampPlan, anOnrampQuote, aPlan, aQuote, USDC } from '../a-quote.fixture.js';
import { aKey } from '../owner-signatures.fixture.js';
import type { PaymentStack } from '../payment-stack.fixture.js';
import type { SimulatedOnramp } from '../sandbox-onramp.fixture.js';
import { ACTION_GAS, ACTIONS, ActionTarget } from './action-target.fixture.js';
import { TOKENS } from './chain-facts.fixture.js';
import type { ChainLife, ChainStep } from './chain-steps.fixture.js';
import { ChainWithdrawals } from './chain-withdrawals.fixture.js';
import type { Sender } from './life-cycle-model.fixture.js';
import { replaceBlocks } from './replaced-blocks.fixture.js';

/** Servers that lives share, one after the other. */
export interface Stage {
  stack: PaymentStack;
  onramp: SimulatedOnramp;
  sanctioned: SanctionedFile;
  fault: FaultTrap;
}

export const CONFIRMATIONS = 3;
export const REQUIRED = 100_000_000n;
export const FEE = 1_000_000n;
/** Units of each token that each party has at first. */
export const FUNDS = 10_000_000_000n;
const SENDERS: readonly Sender[] = ['owner', 'stranger'];

type StepOf<Kind extends ChainStep['kind']> = Extract<ChainStep, { kind: Kind }>;

/** One payment of the real service, its chain, and the parties around it. */
export class ChainWorld {
  readonly withdrawals: ChainWithdrawals;
  readonly target: ActionTarget;
  /** Senders that were ever on the list. */
  readonly everListed = new Set<Sender>();
  /** Answers of the provider about a payment in time since funding ended; before that, its current one. */
  wasPaidInTime = new Set([false]);
  wasOrderLost = false;
  /** Unix seconds. */
  deadlines: { fundBy: number; expiresAt: number };
  readonly #listed = new Set<Sender>();
  #isScreeningAvailable = true;
  #isFundingOver = false;
  #paidAt: Date | null = null;
  #isArmed = false;

  private constructor(
    readonly stage: Stage,
    readonly parties: Parties,
    readonly payment: PaymentRecord,
    /** Height from which the payment exists. */
    readonly firstBlock: bigint,
    private service: RunningService | null,
  ) {
    this.withdrawals = new ChainWithdrawals(stage.stack, payment, parties.owner);
    this.target = new ActionTarget(stage.stack);
    const { initiateFundBy, declarationExpiresAt } = payment;
    this.deadlines = {
      fundBy: initiateFundBy.getTime() / 1000,
      expiresAt: declarationExpiresAt.getTime() / 1000,
    };
  }

  static async begin(stage: Stage, { funding }: Pick<ChainLife, 'funding'>): Promise<ChainWorld> {
    const { stack, sanctioned } = stage;
    sanctioned.list();
    const parties = await endow(stack);
    const firstBlock = await stack.node.getBlockNumber();
    const service = await stack.startProcess();
    const payment = await confirm(stack, service, parties, funding);
    if (funding === 'onramp') await service.app.get(CheckoutService).fund(payment.id);
    const world = new ChainWorld(stage, parties, payment, firstBlock, service);
    await world.target.set(false);
    return world;
  }

  async take(step: ChainStep): Promise<void> {
    switch (step.kind) {
      case 'mine':
        return this.mine();
      case 'deposit':
        return this.#deposit(step);
      case 'reorganise':
        return this.#reorganise(step);
      case 'withdraw':
        return this.#withdraw(step);
      case 'withdrawalEvent':
        if (this.service === null) return;
        return this.withdrawals.deliver(this.service, step.index, step.isRepeated);
      case 'deadline':
        return this.#passDeadline(step);
      case 'order':
        return this.#updateOrder(step);
      case 'listing':
      case 'screening':
        return this.#changeScreening(step);
      case 'target':
        return this.target.set(step.isReverting);
      case 'crash':
        void this.stage.fault.arm(step.point, step.pass);
        this.#isArmed = true;
        return;
      case 'restart':
        return this.restart();
      case 'catchUp':
        return this.catchUp();
    }
  }

  /** Ends outages, and has a process that works. The target of the action stays as it is. */
  async recover(): Promise<void> {
    this.#changeScreening({ kind: 'screening', isAvailable: true });
    const order = this.stage.onramp.orderOf(this.payment.id);
    // An unreadable answer is waited for.
    if (order?.['status'] === 'unheard-of') {
      this.stage.onramp.update(this.payment.id, { status: 'awaiting_payment' });
    }
    if (this.#isArmed) await this.restart();
  }

  /** Makes all mined so far final, and has the service learn it and what else there is to learn. */
  async learnAll(): Promise<void> {
    if (this.service === null) throw new Error('no process runs');
    await this.mine(CONFIRMATIONS);
    const head = await this.stage.stack.node.getBlockNumber();
    await this.withdrawals.settle(head - BigInt(CONFIRMATIONS) + 1n);
    const { events } = this.withdrawals;
    // The newest first, so that older ones come too late.
    while (events.length > 0) {
      await this.withdrawals.deliver(this.service, events.length - 1, false);
    }
    await this.#makeDue();
    await this.#expectScanned();
    await eventually(async () => {
      const due = await this.stage.stack.sql(
        `SELECT 1 FROM payments WHERE id = $1 AND due_at <= now()
         UNION ALL SELECT 1 FROM legs WHERE payment_id = $1 AND due_at <= now()
         UNION ALL SELECT 1 FROM checkouts WHERE payment_id = $1 AND due_at <= now()`,
        [this.payment.id],
      );
      expect(due).toEqual([]);
    });
  }

  async catchUp(): Promise<void> {
    await this.mine(CONFIRMATIONS);
    if (!this.#isArmed) await this.#expectScanned();
  }

  /** Mines blocks whose time is that of the clock, or that of the block before. */
  async mine(blocks = 1): Promise<void> {
    const { node } = this.stage.stack;
    const { timestamp } = await node.getBlock();
    const now = BigInt(Math.floor(Date.now() / 1000));
    if (now > timestamp) await node.setNextBlockTimestamp({ timestamp: now });
    for (let mined = 0; mined < blocks; mined += 1) await node.mine({ blocks: 1 });
  }

  async restart(): Promise<void> {
    const { stack, fault } = this.stage;
    if (this.service !== null) await stack.stopProcess(this.service);
    fault.disarm();
    this.#isArmed = false;
    await stack.letLeasesRunOut();
    this.service = await stack.startProcess();
  }

  async #deposit({ token, amount, sender }: StepOf<'deposit'>): Promise<void> {
    const wallet = this.stage.stack.wallet(this.parties[sender]);
    await wallet.writeContract({
      address: parseTokenIdentifier(TOKENS[token]).address,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [getAddress(this.payment.walletAddress), amount],
      gas: 100_000n,
    });
  }

  async #reorganise({ depth, isLost }: StepOf<'reorganise'>): Promise<void> {
    await replaceBlocks(this.stage.stack, {
      ...{ depth, isLost, withdrawals: this.withdrawals.sent },
      mine: async () => {
        await this.target.restore();
        await this.mine();
      },
    });
  }

  /** The withdrawal service refuses one of a tainted payment. */
  async #withdraw(wish: StepOf<'withdraw'>): Promise<void> {
    const [row] = await this.stage.stack.sql<{ status: string }>(
      'SELECT status FROM payments WHERE id = $1',
      [this.payment.id],
    );
    if (row?.status === 'TAINTED' && !wish.isFromOutside) return;
    await this.withdrawals.submit(wish);
  }

  /** Everything until now is in time, by the clocks of database and chain; everything later is not. */
  async #passDeadline({ passed }: StepOf<'deadline'>): Promise<void> {
    const { stack } = this.stage;
    const [row] = await stack.sql<{ fund_by: Date; expires_at: Date }>(
      `WITH clock AS (SELECT date_trunc('milliseconds', now()) AS at)
       UPDATE payments SET due_at = now(),
         initiate_fund_by = least(initiate_fund_by, clock.at),
         declaration_expires_at =
           CASE WHEN $2 THEN least(declaration_expires_at, clock.at) ELSE declaration_expires_at END
       FROM clock WHERE id = $1
       RETURNING initiate_fund_by AS fund_by, declaration_expires_at AS expires_at`,
      [this.payment.id, passed === 'declaration'],
    );
    if (!row) throw new Error('payment not found');
    this.#isFundingOver = true;
    const [fundBy, expiresAt] = [row.fund_by.getTime() / 1000, row.expires_at.getTime() / 1000];
    this.deadlines = { fundBy, expiresAt };
    const until = passed === 'declaration' ? expiresAt : fundBy;
    await eventually(async () => {
      await this.mine();
      const { timestamp } = await stack.node.getBlock();
      expect(Number(timestamp)).toBeGreaterThan(until);
    });
  }

  async #updateOrder({ status, isCalledBack }: StepOf<'order'>): Promise<void> {
    const { onramp, stack } = this.stage;
    const { timestamp } = await stack.node.getBlock();
    const isPaid = status === 'payment_received' || status === 'completed';
    if (isPaid) this.#paidAt ??= new Date(Number(timestamp) * 1000);
    const paid_at = this.#paidAt?.toISOString();
    onramp.update(this.payment.id, { status, ...(paid_at !== undefined && { paid_at }) });
    this.#noteOrder(status === 'declined' || status === 'refunded');
    if (!isCalledBack || this.service === null) return;
    const { headers, body } = onramp.callback(this.payment.id, uuidv7());
    await this.service.app.get(CallbackService).receive('swiftramp', headers, Buffer.from(body));
  }

  #noteOrder(isLost: boolean): void {
    this.wasOrderLost ||= isLost;
    const isPaid = this.#paidAt !== null && this.#paidAt.getTime() / 1000 <= this.deadlines.fundBy;
    // A lost order may not be asked about again.
    if (!this.#isFundingOver && !this.wasOrderLost) this.wasPaidInTime.clear();
    this.wasPaidInTime.add(isPaid && !isLost);
  }

  #changeScreening(step: StepOf<'listing' | 'screening'>): void {
    if (step.kind === 'listing') {
      this.#listed.delete(step.sender);
      if (step.isListed) [this.#listed, this.everListed].forEach((set) => set.add(step.sender));
    } else if (this.#isScreeningAvailable !== step.isAvailable) {
      this.#isScreeningAvailable = step.isAvailable;
      if (!step.isAvailable) this.stage.sanctioned.takeAway();
    }
    if (!this.#isScreeningAvailable) return;
    const listed = SENDERS.filter((sender) => this.#listed.has(sender));
    this.stage.sanctioned.list(...listed.map((sender) => this.parties[sender].address));
  }

  /** Waits until the scanner has the head and its final blocks. */
  #expectScanned(): Promise<void> {
    const { stack } = this.stage;
    return eventually(async () => {
      const { hash, number } = await stack.node.getBlock();
      const [cursor] = await stack.sql(
        `SELECT block_hash AS hash, confirmed_block_number::int AS final FROM chain_cursors`,
      );
      expect(cursor).toEqual({ hash, final: Number(number) - CONFIRMATIONS + 1 });
    });
  }

  /** Work that would be done within the next minutes or hours is due now. */
  async #makeDue(): Promise<void> {
    const { id } = this.payment;
    for (const [table, key] of DUE) {
      await this.stage.stack.sql(
        `UPDATE ${table} SET due_at = now() WHERE ${key} = $1 AND due_at > now()`,
        [id],
      );
    }
    if (this.target.isReverting) {
      // The patience with a failing leg is over.
      await this.stage.stack.sql(
        `UPDATE legs SET failure = failure || '{"since": "2020-01-01T00:00:00.000Z", "tries": 100}'
         WHERE payment_id = $1 AND failure IS NOT NULL AND status <> 'FAILED'`,
        [id],
      );
    }
    await this.stage.stack.sql('UPDATE chain_transactions SET due_at = now() WHERE due_at > now()');
    await this.stage.stack.sql('UPDATE chain_signers SET due_at = now()');
  }
}

const DUE = [
  ['payments', 'id'],
  ['legs', 'payment_id'],
  ['checkouts', 'payment_id'],
  ['sender_screenings', 'payment_id'],
] as const;

type Parties = Awaited<ReturnType<typeof endow>>;

/** Parties of one life, with money from the faucet in final blocks. */
async function endow(stack: PaymentStack) {
  const parties = { owner: aKey(), stranger: aKey() };
  for (const { address } of Object.values(parties)) {
    await stack.node.setBalance({ address, value: parseEther('10') });
    for (const token of Object.values(TOKENS)) {
      await stack.alphanet.submit(token, address, FUNDS);
    }
  }
  await stack.node.mine({ blocks: CONFIRMATIONS });
  return { ...parties, feeReceiver: privateKeyToAddress(generatePrivateKey()) };
}

function confirm(
  stack: PaymentStack,
  service: RunningService,
  { owner, feeReceiver }: Parties,
  kind: ChainLife['funding'],
): Promise<PaymentRecord> {
  const leg = {
    chain: 'alphanet',
    input_token: USDC,
    input_amount: REQUIRED.toString(),
    max_input: REQUIRED.toString(),
    fees: [{ kind: 'network' as const, receiver: feeReceiver, amount: FEE.toString() }],
    output_token: USDC,
    output_amount: (REQUIRED - FEE).toString(),
    min_output: (REQUIRED - FEE).toString(),
    gas_limit: ACTION_GAS.toString(),
  };
  const { funding } = kind === 'onramp' ? anOnrampPlan() : aPlan();
  const wish = {
    ...{ input: USDC, amount: REQUIRED, owner: owner.address, funding },
    customActions: ACTIONS,
  };
  const quote = kind === 'onramp' ? anOnrampQuote(uuidv7()) : aQuote(uuidv7());
  return stack.confirmPlan(service, [leg], wish, quote);
}
