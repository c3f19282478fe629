import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { Agent, type Dispatcher, request } from 'undici';
import {
  DestinationPolicyAdapter,
  ForbiddenAddressError,
} from '../destinations/destination-policy.adapter.js';
import { guardedConnector } from '../destinations/guarded-connector.client.js';
import { urlProblem } from '../destinations/webhook-url.js';
import {
  WEBHOOK_DISPATCH_CONFIG,
  type WebhookDispatchConfig,
} from '../config/webhook-dispatch.config.js';
import {
  type AttemptOutcome,
  type ReceiverAnswer,
  outcomeOfAnswer,
} from '../rules/attempt-outcome.js';

/** Bytes of an answer that are stored for support; the rest is not read. */
const MAX_ANSWER_BYTES = 8 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
/** Shorter than the keep-alive of most servers, so that requests rarely meet a closing connection. */
const KEEP_ALIVE_MS = 4_000;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Deadline of the whole exchange: lookup, connection, request and answer. */
  timeoutMs: number;
}

/** Posts to receivers that any organisation may register: permitted addresses only, no redirects, bounded reading. */
@Injectable()
export class WebhookClient {
  private readonly agent: Agent;

  constructor(
    private readonly policy: DestinationPolicyAdapter,
    @Inject(WEBHOOK_DISPATCH_CONFIG) config: WebhookDispatchConfig,
    context: ServiceContext,
  ) {
    this.agent = new Agent({
      connect: guardedConnector(policy, { timeoutMs: config.acknowledgeWithinMs }),
      allowH2: false,
      pipelining: 1,
      connections: config.concurrencyPerHost,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The signal's deadline is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    context.shutdown.add('relay', 'connections to receivers', () => this.agent.close());
  }

  async post({ url, headers, body, timeoutMs }: WebhookRequest): Promise<AttemptOutcome> {
    if (urlProblem(url, this.policy) !== null) return { kind: 'forbidden_address' };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: this.agent,
        signal,
      });
      return outcomeOfAnswer(await readAnswer(response));
    } catch (error) {
      return outcomeOfError(error, signal);
    }
  }
}

/** Reads the start of an answer. The outcome depends on the status only, so errors of the body are ignored. */
async function readAnswer(response: Dispatcher.ResponseData): Promise<ReceiverAnswer> {
  const { statusCode, headers, body } = response;
  return {
    statusCode,
    contentType: single(headers['content-type']),
    retryAfter: single(headers['retry-after']),
    body: await readStart(body),
  };
}

async function readStart(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection, so an endless answer is not read.
      if (length > MAX_ANSWER_BYTES) break;
    }
  } catch {
    // Ended by the receiver or by the deadline.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES);
}

const single = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null;

function outcomeOfError(error: unknown, signal: AbortSignal): AttemptOutcome {
  if (error instanceof ForbiddenAddressError) return { kind: 'forbidden_address' };
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  const code = isCoded ? String(error.code) : 'UNKNOWN';
  if (signal.aborted || code.endsWith('_TIMEOUT')) return { kind: 'timeout' };
  return { kind: 'unreachable', reason: code };
}
