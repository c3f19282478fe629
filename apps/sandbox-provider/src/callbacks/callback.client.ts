import { Injectable } from '@nestjs/common';
import { Agent, request } from 'undici';
import type { SimulatedProvider } from '../providers/simulated-provider.js';
import { SIGNATURE_HEADER, signCallback } from './sign-callback.js';

const TIMEOUT_MS = 5_000;

@Injectable()
export class CallbackClient {
  private readonly agent = new Agent({
    connect: { timeout: 2_000 },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: 16 * 1024,
  });

  /** Sends a callback; returns null on a 2xx, else the failure. */
  async deliver(url: string, provider: SimulatedProvider, body: string): Promise<string | null> {
    try {
      const answer = await request(url, {
        dispatcher: this.agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [SIGNATURE_HEADER]: signCallback(body, provider.callbackSecret, new Date()),
        },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300
        ? null
        : `answered ${answer.statusCode}`;
    } catch (error) {
      return error instanceof Error ? error.message : 'no answer';
    }
  }
}
