import type { Chain } from '@bascule/chain';
import { ServiceContext, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { isAddressEqual, recoverTransactionAddress } from 'viem';
import type { Address, LocalAccount, TransactionSerialized } from 'viem';
import { signAttempt } from './signed-attempt.js';
import type { SignedAttempt, UnsignedAttempt } from './signed-attempt.js';
import { UnsignedError } from './unsigned-error.js';
import { Signers } from './signers.js';
import { TransactionMetrics } from './transaction-metrics.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';

/** Deadline of a signature; shorter than the lease of a transaction. */
const TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** Wait for a key that this replica does not have. */
const NO_KEY_MS = 10_000;
/** Wait for a key that could not be opened yet. */
const UNOPENED_MS = 5_000;

/** Signatures of a key that failed since the last one that did not. */
interface Outage {
  readonly failures: number;
  /** Until then the key is not asked again. */
  readonly retryAt: number;
}

/**
 * Asks keys for signatures, which may take long or fail; must not run while a lock is held. A key that failed is asked
 * again by one caller at a time, with a backoff.
 */
@Injectable()
export class Signing {
  private readonly outages = new Map<Address, Outage>();
  private readonly unopened = new Set<Address>();
  private readonly timeoutMs: number;

  constructor(
    private readonly signers: Signers,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
    @Inject(TRANSACTIONS_OPTIONS) options: TransactionsOptions,
  ) {
    this.timeoutMs = options.signTimeoutMs ?? TIMEOUT_MS;
    for (const [signer, opening] of signers.unopened()) this.awaitOpening(signer, opening);
  }

  private awaitOpening(signer: Address, opening: Promise<void>): void {
    this.unopened.add(signer);
    this.metrics.unavailable.set({ signer }, 1);
    void opening.then(() => {
      this.unopened.delete(signer);
      this.metrics.unavailable.set({ signer }, 0);
    });
  }

  /** @throws UnsignedError for a key that could not be opened yet */
  requireOpen(signer: Address): void {
    if (!this.unopened.has(signer)) return;
    throw new UnsignedError(signer, UNOPENED_MS, 'the key could not be opened yet');
  }

  isOpen(signer: Address): boolean {
    return !this.unopened.has(signer);
  }

  isAvailable(signer: Address): boolean {
    return !this.outages.has(signer);
  }

  /**
   * Returns the account of an address, retired or not.
   * @throws UnsignedError where its key is not configured
   */
  accountOf(chain: string, signer: Address): LocalAccount {
    const account = this.signers.find(chain, signer);
    if (account) return account;
    throw new UnsignedError(signer, NO_KEY_MS, `no key is configured for ${chain}`);
  }

  /** @throws UnsignedError */
  async sign(
    chain: Chain,
    account: LocalAccount,
    attempt: UnsignedAttempt,
  ): Promise<SignedAttempt> {
    const before = this.admit(account.address);
    let signed: SignedAttempt;
    try {
      signed = await withTimeout(this.timeoutMs, signAttempt(account, chain, attempt));
      await requireSignature(signed, account.address);
    } catch (error) {
      throw this.failed(account.address, before, error);
    }
    this.recovered(account.address);
    return signed;
  }

  /** Returns the outage during which the key is asked; undefined without one. */
  private admit(signer: Address): Outage | undefined {
    this.requireOpen(signer);
    const outage = this.outages.get(signer);
    if (!outage) return undefined;
    const now = Date.now();
    if (outage.retryAt > now) {
      throw new UnsignedError(signer, outage.retryAt - now, 'the last signature failed');
    }
    const probed = { ...outage, retryAt: now + this.timeoutMs };
    this.outages.set(signer, probed);
    return probed;
  }

  private failed(signer: Address, before: Outage | undefined, cause: unknown) {
    const known = this.outages.get(signer);
    // Of several signatures under way when an outage began, the first to fail counts.
    const isCounted = known === before;
    const failures = isCounted ? (before?.failures ?? 0) + 1 : (known?.failures ?? 0);
    const retryInMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(failures - 1, 0), LAST_RETRY_MS);
    if (isCounted) {
      this.outages.set(signer, { failures, retryAt: Date.now() + retryInMs });
      this.metrics.unavailable.set({ signer }, 1);
      this.context.logger.warn(
        { err: cause, signer, failures, retry_in_ms: retryInMs },
        'signer unavailable',
      );
    }
    return new UnsignedError(signer, retryInMs, 'no signature', { cause });
  }

  private recovered(signer: Address): void {
    if (!this.outages.delete(signer)) return;
    this.metrics.unavailable.set({ signer }, 0);
    this.context.logger.info({ signer }, 'signer available again');
  }
}

/** Refuses a signature of another key, since the first signature that is stored is the one that is sent. */
async function requireSignature({ rawTransaction }: SignedAttempt, signer: Address): Promise<void> {
  const serializedTransaction = rawTransaction as TransactionSerialized;
  const found = await recoverTransactionAddress({ serializedTransaction });
  if (!isAddressEqual(found, signer)) {
    throw new Error(`expected a signature of ${signer}, found one of ${found}`);
  }
}
