import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Agent, request } from 'undici';
import { DestinationPolicy, ForbiddenAddressError } from './destination-policy.adapter.js';
import { type AttemptOutcome, outcomeOfStatus } from './outcome.js';

/** More of an answer than this is not read: only its status counts. */
const MAX_RESPONSE_BYTES = 16 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  timeoutMs: number;
}

/** Posts to receivers that anybody may have registered: permitted addresses only, no redirects, bounded reading. */
@Injectable()
export class WebhookClient {
  private readonly agent: Agent;

  constructor(
    private readonly policy: DestinationPolicy,
    context: ServiceContext,
  ) {
    this.agent = new Agent({
      connect: { lookup: policy.lookup },
      allowH2: false,
      connections: 8,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 10_000,
    });
    context.shutdown.add('relay', 'connections to receivers', () => this.agent.close());
  }

  async post({ url, headers, body, timeoutMs }: WebhookRequest): Promise<AttemptOutcome> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      this.policy.checkLiteral(new URL(url).hostname);
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: this.agent,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      await response.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
      return outcomeOfStatus(response.statusCode);
    } catch (error) {
      return outcomeOfError(error, signal);
    }
  }
}

function outcomeOfError(error: unknown, signal: AbortSignal): AttemptOutcome {
  if (error instanceof ForbiddenAddressError) return { kind: 'forbidden_address' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  if (signal.aborted || code.endsWith('_TIMEOUT')) return { kind: 'timeout' };
  return { kind: 'unreachable', reason: code };
}
