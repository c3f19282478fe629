import { tokenIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import { acceptanceOf } from '../payments/test-payment.js';
import { declaredLeg, lower, type ChainRecord, type ExecutedLeg } from './chain-record.js';
import type { Claim, Findings } from './findings.js';
import { paymentLabel, type VerifiedPayment } from './payment-label.js';

/** Claims about destinations on chain: which were paid, how often and how much. */
export class PayoutClaims {
  readonly #once: Claim;
  readonly #legs: Claim;
  readonly #minimum: Claim;
  readonly #unpaid: Claim;

  constructor(findings: Findings) {
    this.#once = findings.claim('a destination is paid once by a completed payment, else never');
    this.#legs = findings.claim('a leg is executed once at most, on the chain it is declared for');
    this.#minimum = findings.claim('a payout is the whole output, at least the declared minimum');
    this.#unpaid = findings.claim('a destination gets no other money');
  }

  /** @param records one for each chain */
  async verify(
    payment: VerifiedPayment,
    status: string,
    records: readonly ChainRecord[],
  ): Promise<void> {
    const { declaration } = acceptanceOf(payment);
    const wallet = lower(acceptanceOf(payment).wallet);
    const paysOut = declaration.legs.at(-1);
    for (const record of records) {
      const executed = record.legs.filter((leg) => leg.wallet === wallet);
      const declared = declaredLeg(declaration, record.chain);
      this.#legs.holds(paymentLabel(payment), executed.length <= (declared ? 1 : 0), executed);
      if (status === 'COMPLETE') {
        this.#legs.equal(paymentLabel(payment), executed.length, declared ? 1 : 0);
      }
      const isLast = declared !== undefined && declared === paysOut;
      if (isLast)
        this.#once.equal(paymentLabel(payment), executed.length, status === 'COMPLETE' ? 1 : 0);
      await this.#verifyDestination(payment, record, isLast ? executed : []);
    }
  }

  async #verifyDestination(
    payment: VerifiedPayment,
    record: ChainRecord,
    legs: ExecutedLeg[],
  ): Promise<void> {
    const { chain, transfers } = record;
    const declared = acceptanceOf(payment).declaration.legs.at(-1);
    const [executed] = legs;
    const output = tokenIdentifier(chain.name, declared?.outputToken ?? zeroAddress);
    const arrived = transfers.filter(({ to }) => to === lower(payment.destination));
    const native = tokenIdentifier(chain.name, zeroAddress);
    const units = await chain.balance(native, payment.destination);
    if (units > 0n) arrived.push({ ...NATIVE_MOVE, token: native, to: payment.destination, units });
    if (executed) {
      const [first] = arrived;
      this.#minimum.equal(paymentLabel(payment), first?.units, executed.output);
      this.#minimum.holds(
        paymentLabel(payment),
        executed.output >= (declared?.minOutput ?? 0n),
        executed,
      );
      this.#unpaid.equal(paymentLabel(payment), first?.token, output);
    }
    this.#unpaid.equal(paymentLabel(payment), arrived.length, executed ? 1 : 0);
  }
}

const NATIVE_MOVE = { from: zeroAddress, hash: '0x' } as const;
