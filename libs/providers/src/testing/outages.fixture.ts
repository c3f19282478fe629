import { describe, expect, it } from '@jest/globals';
import type { OnrampProvider, OnrampQuoteRequest } from '../port/onramp-provider.js';
import { startMisbehavingServer } from './misbehaving-server.fixture.js';

interface OutageHarness {
  providerAt(baseUrl: string, timeoutMs: number): OnrampProvider;
  sold: OnrampQuoteRequest;
}

const TIMEOUT_MS = 400;

/** Checks that a slow, unreachable or malformed provider is `unavailable` within its time limit. */
export function describeOutages(harness: () => OutageHarness): void {
  describe('during an outage of the provider', () => {
    const unavailable = { name: 'ProviderError', code: 'unavailable', retryable: true };

    it.each(['fails', 'limits', 'hangs', 'trickles', 'garbage', 'floods'] as const)(
      'is unavailable when it %s',
      async (how) => {
        const server = await startMisbehavingServer(how);
        try {
          const provider = harness().providerAt(server.baseUrl, TIMEOUT_MS);
          await expect(provider.quote(harness().sold)).rejects.toMatchObject(unavailable);
          await expect(provider.coverage()).rejects.toMatchObject(unavailable);
        } finally {
          await server.stop();
        }
      },
    );

    it('is not asked again within the pause that a 429 asks for', async () => {
      const server = await startMisbehavingServer('limits');
      try {
        const provider = harness().providerAt(server.baseUrl, TIMEOUT_MS);
        await expect(provider.coverage()).rejects.toMatchObject(unavailable);
        const { requests } = server;
        await expect(provider.coverage()).rejects.toMatchObject(unavailable);
        await expect(provider.quote(harness().sold)).rejects.toMatchObject(unavailable);
        expect(server.requests).toBe(requests);
      } finally {
        await server.stop();
      }
    });

    it('does not follow redirects', async () => {
      const server = await startMisbehavingServer('redirects');
      try {
        const provider = harness().providerAt(server.baseUrl, TIMEOUT_MS);
        await expect(provider.coverage()).rejects.toMatchObject({ name: 'ProviderError' });
      } finally {
        await server.stop();
      }
    });

    it('is unavailable when the connection is refused', async () => {
      const server = await startMisbehavingServer('fails');
      await server.stop();
      const provider = harness().providerAt(server.baseUrl, TIMEOUT_MS);
      await expect(provider.coverage()).rejects.toMatchObject(unavailable);
    });

    it('is aborted by the caller', async () => {
      const server = await startMisbehavingServer('hangs');
      try {
        const provider = harness().providerAt(server.baseUrl, 60_000);
        const caller = AbortSignal.timeout(50);
        await expect(provider.quote(harness().sold, caller)).rejects.toMatchObject(unavailable);
      } finally {
        await server.stop();
      }
    });
  });
}
