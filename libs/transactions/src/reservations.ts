import type { Chain } from '@bascule/chain';
import { faultPoint, ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isAddressEqual } from 'viem';
import { nextAttempt } from './next-attempt.js';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import { contentOf } from './signed-attempt.js';
import type { UnsignedAttempt } from './signed-attempt.js';
import { Signing } from './signing.js';
import { attemptsOf, insertAttempt } from './transaction-store.js';
import type { StoredAttempt, StoredTransaction } from './transaction-store.js';
import { wouldRevert } from './would-revert.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';

const FIRST = 1;

/** Tells whether a service holds back the work of a transaction at present. */
export type HoldCheck = (reference: string) => Promise<boolean>;

/** Signs reserved transactions: without a lock, after the commit of the reservation, by any replica. */
@Injectable()
export class Reservations {
  private readonly inProgress = new Map<string, Promise<StoredAttempt | null>>();
  private isHeld: HoldCheck = () => Promise.resolve(false);

  constructor(
    private readonly dataSource: DataSource,
    private readonly signing: Signing,
    private readonly context: ServiceContext,
    @Inject(TRANSACTIONS_OPTIONS) private readonly options: TransactionsOptions,
  ) {}

  /** Registers the service's check, before the application starts. Held work is not sent: it only uses its nonce. */
  holdWhile(check: HoldCheck): void {
    this.isHeld = check;
  }

  /**
   * Signs the first attempt and returns the stored one: the signature that is stored first counts, since several
   * replicas may sign and the signatures of a KMS differ. Null where it is settled, or its bound is exceeded at present.
   * @throws UnsignedError
   */
  sign(chain: Chain, transaction: StoredTransaction): Promise<StoredAttempt | null> {
    const { id } = transaction;
    const begun =
      this.inProgress.get(id) ??
      this.signAndStore(chain, transaction).finally(() => this.inProgress.delete(id));
    this.inProgress.set(id, begun);
    return begun;
  }

  private async signAndStore(
    chain: Chain,
    transaction: StoredTransaction,
  ): Promise<StoredAttempt | null> {
    faultPoint('transactions.reserved');
    const account = this.signing.accountOf(chain.name, transaction.signer);
    const attempt = await this.firstAttempt(chain, transaction);
    if (!attempt) {
      const about = { chain: chain.name, reference: transaction.reference };
      this.context.logger.warn(about, 'transaction not signed: it would cost more than its bound');
      return null;
    }
    const signed = await this.signing.sign(chain, account, attempt);
    faultPoint('transactions.signed');
    // A signature may take seconds, in which its work was held back; the next one only uses the nonce.
    if (attempt.purpose === 'payload' && (await this.isHeld(transaction.reference))) return null;
    await insertAttempt(this.dataSource, transaction.id, FIRST, signed);
    const [newest] = await attemptsOf(this.dataSource, transaction.id);
    return newest ?? null;
  }

  /**
   * Uses the reserved fees while they are new, then the market's. A late one that would revert by now only uses its nonce:
   * its key may have been away for hours, in which the chain went on.
   */
  private async firstAttempt(
    chain: Chain,
    transaction: StoredTransaction,
  ): Promise<UnsignedAttempt | null> {
    const { fees, ageMs } = transaction;
    const purpose = purposeOf(transaction);
    if (purpose === 'payload' && (await this.isHeld(transaction.reference))) {
      return nextAttempt(chain, transaction, [], { purpose: 'cancellation', isOverdue: false });
    }
    // The reserved fees are bounded for the payload's gas.
    if (purpose === 'payload' && fees !== null && ageMs <= this.options.replaceAfterMs) {
      return { purpose, content: await contentOf(chain, purpose, transaction), fees };
    }
    const isFutile = purpose === 'payload' && (await wouldRevert(chain, transaction));
    const wanted = { purpose: isFutile ? 'cancellation' : purpose, isOverdue: false } as const;
    return nextAttempt(chain, transaction, [], wanted);
  }
}

/** A self-transfer of nothing only uses its nonce, and so does what was given up. */
const purposeOf = ({
  isAbandoned,
  signer,
  target,
  data,
  value,
}: StoredTransaction): AttemptPurpose =>
  isAbandoned || (isAddressEqual(signer, target) && data === '0x' && value === 0n)
    ? 'cancellation'
    : 'payload';
