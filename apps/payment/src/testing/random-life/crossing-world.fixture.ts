import type { PaymentStatus } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually, type FaultTrap } from '@bascule/testing';
import { expect } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import type { PaymentRecord } from '../../life-cycle/payment-record.js';
import { ESCROW } from '../a-bridged-payment.fixture.js';
import { USDC } from '../a-quote.fixture.js';
import {
  alignClocks,
  BETA_USDC,
  closeWindow,
  confirmCrossing,
  fill,
  orderOf,
  refundFromOutside,
} from '../crossing.fixture.js';
import type { PaymentStack } from '../payment-stack.fixture.js';
import { REQUIRED, type CrossingStep } from './crossing-steps.fixture.js';

const FEE = REQUIRED / 100n;

/** One payment of the real service that crosses between two real chains. */
export class CrossingWorld {
  #deposited = 0n;
  #isFilled = false;
  #isArmed = false;

  private constructor(
    private readonly stack: PaymentStack,
    private readonly fault: FaultTrap,
    private readonly owner: PrivateKeyAccount,
    private readonly payment: PaymentRecord,
    private readonly escrowBefore: bigint,
    private service: RunningService,
  ) {}

  static async begin(stack: PaymentStack, fault: FaultTrap): Promise<CrossingWorld> {
    await alignClocks(stack);
    stack.solver.answers = 'quotes';
    const service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await confirmCrossing(stack, service, {
      ...{ input: USDC, output: BETA_USDC, amount: REQUIRED, fee: FEE },
      owner: owner.address,
    });
    const escrow = await stack.balance(USDC, ESCROW);
    return new CrossingWorld(stack, fault, owner, payment, escrow, service);
  }

  async take(step: CrossingStep): Promise<void> {
    switch (step.kind) {
      case 'deposit':
        return this.#deposit(step.amount);
      case 'mine':
        await this.stack.on(step.chain === 'alphanet' ? USDC : BETA_USDC).node.mine({ blocks: 1 });
        return;
      case 'solver':
        this.stack.solver.answers = step.answers;
        return;
      case 'fill':
        return this.#fill();
      case 'crash':
        void this.fault.arm(step.point, step.pass);
        this.#isArmed = true;
        return;
      case 'restart':
        return this.#restart();
      case 'catchUp':
        return this.#catchUp();
    }
  }

  /** Ends outages, pays what is missing, and ends the order; compares status and money with what happened. */
  async settle(isDelivered: boolean): Promise<PaymentStatus> {
    if (this.#isArmed) await this.#restart();
    this.stack.solver.answers = 'quotes';
    if (this.#deposited < REQUIRED) await this.#deposit(REQUIRED - this.#deposited);
    await eventually(async () => expect((await this.#read()).legs[0]?.transfer).toBeTruthy(), {
      timeoutMs: 60_000,
    });
    if (isDelivered) await this.#fill();
    await (this.#isFilled ? this.#expectDelivered() : this.#expectRefunded());
    return (await this.#read()).status;
  }

  async #deposit(amount: bigint): Promise<void> {
    await this.stack.send(USDC, this.payment.walletAddress, amount);
    this.#deposited += amount;
  }

  async #fill(): Promise<void> {
    const payment = await this.#read();
    if (this.#isFilled || payment.legs[0]?.transfer?.status !== 'OPEN') return;
    this.#isFilled = true;
    await fill(this.stack.on(BETA_USDC), payment);
  }

  async #restart(): Promise<void> {
    await this.stack.stopProcess(this.service);
    this.fault.disarm();
    this.#isArmed = false;
    await this.stack.letLeasesRunOut();
    this.service = await this.stack.startProcess();
  }

  async #catchUp(): Promise<void> {
    if (this.#isArmed) return;
    for (const token of [USDC, BETA_USDC]) await this.stack.on(token).node.mine({ blocks: 1 });
    await eventually(async () => {
      const heads = await Promise.all(
        [USDC, BETA_USDC].map((token) => this.stack.on(token).node.getBlock()),
      );
      const cursors = await this.stack.sql(
        'SELECT block_hash AS hash, confirmed_block_number::int AS final FROM chain_cursors ORDER BY chain',
      );
      expect(cursors).toEqual(heads.map(({ hash, number }) => ({ hash, final: Number(number) })));
    });
    await eventually(async () => {
      const due = await this.stack.sql(
        'SELECT 1 FROM legs WHERE payment_id = $1 AND due_at <= now()',
        [this.payment.id],
      );
      expect(due).toEqual([]);
    });
  }

  #read(): Promise<PaymentRecord> {
    return this.stack.read(this.payment.id);
  }

  async #expectDelivered(): Promise<void> {
    const { legs } = await this.stack.expectToBecome(this.payment, { status: 'COMPLETE' });
    const { destinationAddress, plan } = this.payment;
    const paid = await this.stack.balance(BETA_USDC, destinationAddress);
    expect(paid).toBe(legs[1]?.settlement?.output);
    expect(paid).toBeGreaterThanOrEqual(BigInt(plan.legs[1]?.min_output ?? 0));
    expect(await this.stack.balance(BETA_USDC, this.payment.walletAddress)).toBe(0n);
    await this.#expectOrigin({ inEscrow: orderOf(await this.#read()).inputAmount });
    expect(await this.#completions()).toBe(1);
  }

  /** The owner takes the money of the order; what exceeds the required sum is left in the wallet. */
  async #expectRefunded(): Promise<void> {
    const open = await this.#read();
    const { inputAmount } = orderOf(open);
    await closeWindow(this.stack, open);
    await this.stack.expectToBecome(this.payment, { status: 'FAILED' });
    await refundFromOutside(this.stack.on(USDC), open, this.owner);
    await this.stack.sql('UPDATE legs SET due_at = now() WHERE payment_id = $1', [this.payment.id]);
    const isEmpty = this.#deposited === REQUIRED;
    await this.stack.expectToBecome(this.payment, {
      status: isEmpty ? 'WITHDRAWN' : 'FAILED',
      withdrawals: [{ status: 'SUCCESS' }],
    });
    expect(await this.stack.balance(USDC, this.owner.address)).toBe(inputAmount);
    expect(await this.stack.balance(BETA_USDC, this.payment.destinationAddress)).toBe(0n);
    await this.#expectOrigin({ inEscrow: 0n });
    expect(await this.#completions()).toBe(0);
  }

  /** The first leg has taken the required sum once. */
  async #expectOrigin({ inEscrow }: { inEscrow: bigint }): Promise<void> {
    const wallet = await this.stack.balance(USDC, this.payment.walletAddress);
    const escrow = await this.stack.balance(USDC, ESCROW);
    expect([wallet, escrow - this.escrowBefore]).toEqual([this.#deposited - REQUIRED, inEscrow]);
  }

  /** Published completions, once everything is published. */
  async #completions(): Promise<number> {
    await eventually(async () => {
      expect(await this.stack.sql('SELECT 1 FROM outbox')).toEqual([]);
    });
    const events = await this.stack.sql(
      `SELECT 1 FROM event_log.records
       WHERE key = $1 AND convert_from(value, 'UTF8')::jsonb->>'type' = 'payment.completed'`,
      [this.payment.id],
    );
    return events.length;
  }
}
