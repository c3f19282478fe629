import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceContext } from '@bascule/process';
import { hashTypedData } from 'viem';
import type { Address, Hex, TypedDataDefinition } from 'viem';
import { SignerUnavailableError } from '../signer-error.js';
import type { SignerProvider } from '../signer-error.js';
import type { Signer } from '../signer.js';
import { unopenedSigners } from './signer-metrics.js';

export interface LazyOptions {
  readonly provider: SignerProvider;
  readonly context: Pick<ServiceContext, 'logger' | 'metrics'>;
  /** Ends the retries when the service stops. */
  readonly stopped: AbortSignal;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/** Key of a known address that could not be opened at start: opens it in the background, and refuses to sign until then. */
export class LazySigner implements Signer {
  readonly opening: Promise<void>;
  private signer: Signer | undefined;

  /** @param open throws where the key has another address */
  constructor(
    readonly address: Address,
    private readonly open: () => Promise<Signer>,
    private readonly options: LazyOptions,
  ) {
    const opened = Promise.withResolvers<void>();
    this.opening = opened.promise;
    this.setUnopened(1);
    void this.retry(opened.resolve);
  }

  async signDigest(digest: Hex): Promise<Hex> {
    if (this.signer) return this.signer.signDigest(digest);
    const request = { provider: this.options.provider, operation: 'sign' } as const;
    throw new SignerUnavailableError(request, 'unavailable', 'waits until the key is opened');
  }

  signTypedData(data: TypedDataDefinition): Promise<Hex> {
    return this.signDigest(hashTypedData(data));
  }

  private async retry(onOpened: () => void): Promise<void> {
    const { stopped } = this.options;
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LAST_RETRY_MS)) {
      await sleep(delayMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
      if (stopped.aborted) return;
      if (!(await this.isOpened())) continue;
      this.setUnopened(0);
      return onOpened();
    }
  }

  private async isOpened(): Promise<boolean> {
    const { provider, context, stopped } = this.options;
    const about = { provider, address: this.address };
    try {
      this.signer = await this.open();
      context.logger.info(about, 'signer opened');
      return true;
    } catch (error) {
      if (stopped.aborted) return false;
      // The others need a person: a wrong key, or a missing permission.
      const level = error instanceof SignerUnavailableError ? 'warn' : 'error';
      context.logger[level]({ err: error, ...about }, 'signer not opened');
      return false;
    }
  }

  private setUnopened(value: 0 | 1): void {
    const { provider, context } = this.options;
    unopenedSigners(context.metrics).set({ provider, signer: this.address }, value);
  }
}
