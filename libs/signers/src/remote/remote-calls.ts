import { performance } from 'node:perf_hooks';
import { TimeoutError, unlessAborted, withSpan, withTimeout } from '@bascule/process';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { Registry } from 'prom-client';
import { SignerRefusedError, SignerUnavailableError } from '../signer-error.js';
import type { SignerOperation, SignerRequest } from '../signer-error.js';
import { InvalidAnswerError } from './remote-key.js';
import type { RemoteKey, ServiceFailure } from './remote-key.js';
import { signerMetrics } from './signer-metrics.js';

export interface CallOptions {
  readonly metrics: Registry;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  /** Ends requests and retries when the service stops. */
  readonly stopped: AbortSignal;
  /** First delay before a retry; doubles. */
  readonly retryDelayMs: number;
}

const RETRIES = 2;
const MAX_RETRY_DELAY_MS = 1_000;
const SERVER_ERROR = 500;
const TRANSIENT_STATUS = [408, 429];

/** A code, and nothing that a service or a proxy wrote as a text. */
const CODE = /^[A-Za-z][\w.-]{0,63}$/;

type Work<T> = (signal: AbortSignal) => Promise<T>;
type Failure = SignerUnavailableError | SignerRefusedError;

/** Calls to a key management service: bounded in time, retried where that can help, measured. */
export class RemoteCalls {
  private readonly policy;
  private readonly observe;

  constructor(
    private readonly key: RemoteKey,
    private readonly options: CallOptions,
  ) {
    this.observe = signerMetrics(options.metrics);
    this.policy = retry(
      handleWhen((error) => error instanceof SignerUnavailableError && error.reason !== 'aborted'),
      {
        maxAttempts: RETRIES,
        backoff: new ExponentialBackoff({
          initialDelay: options.retryDelayMs,
          maxDelay: Math.max(options.retryDelayMs, MAX_RETRY_DELAY_MS),
        }),
      },
    );
  }

  /** @throws SignerUnavailableError | SignerRefusedError */
  run<T>(operation: SignerOperation, work: Work<T>): Promise<T> {
    const request = { provider: this.key.provider, operation };
    return this.policy.execute(() => this.attempt(request, work), this.options.stopped);
  }

  private async attempt<T>(request: SignerRequest, work: Work<T>): Promise<T> {
    const began = performance.now();
    const seconds = () => (performance.now() - began) / 1_000;
    try {
      const answer = await withSpan(
        `${request.provider} ${request.operation}`,
        { 'service.peer.name': request.provider },
        () => this.bounded(work),
        'client',
      );
      this.observe(request, 'ok', seconds());
      return answer;
    } catch (error) {
      const failure = this.failure(request, error);
      this.observe(request, failure.reason, seconds());
      throw failure;
    }
  }

  private bounded<T>(work: Work<T>): Promise<T> {
    const { stopped, timeoutMs } = this.options;
    return withTimeout(timeoutMs, (deadline) =>
      unlessAborted(stopped, () => work(AbortSignal.any([deadline, stopped]))),
    );
  }

  /** The errors of the clients hold requests with their credentials: nothing but status and code is kept. */
  private failure(request: SignerRequest, error: unknown): Failure {
    const { stopped, timeoutMs } = this.options;
    if (error instanceof InvalidAnswerError) {
      return error.isTransient
        ? new SignerUnavailableError(request, 'unavailable', error.message)
        : new SignerRefusedError(request, 'invalid_answer', error.message);
    }
    if (stopped.aborted) {
      return new SignerUnavailableError(request, 'aborted', 'was ended by the shutdown');
    }
    if (error instanceof TimeoutError) {
      return new SignerUnavailableError(request, 'timeout', `had no answer in ${timeoutMs} ms`);
    }
    const { status, code } = this.key.failureOf(error);
    const known = code !== undefined && CODE.test(code) ? code : undefined;
    if (this.isTransient({ status, code: known })) {
      const found = described({ status, code: known });
      const advice = status === undefined ? '; check the network and the credentials' : '';
      return new SignerUnavailableError(request, 'unavailable', `failed${found}${advice}`);
    }
    return new SignerRefusedError(
      request,
      'refused',
      `was refused${described({ status, code: known })}; check the key’s name, state and permissions`,
    );
  }

  private isTransient({ status, code }: ServiceFailure): boolean {
    return (
      status === undefined ||
      status >= SERVER_ERROR ||
      TRANSIENT_STATUS.includes(status) ||
      (code !== undefined && this.key.transientCodes.includes(code))
    );
  }
}

function described({ status, code }: ServiceFailure): string {
  const facts = [status, code].filter((each) => each !== undefined);
  return facts.length === 0 ? '' : ` (${facts.join(' ')})`;
}
