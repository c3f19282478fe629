import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { freePort, isPortFree } from './ports.js';

/** First ephemeral port of Linux; other systems begin later. */
const FIRST_OUTGOING = 32_768;

describe('freePort', () => {
  it('returns free ports, each once, outside the ephemeral range', async () => {
    const ports: number[] = [];
    for (let n = 0; n < 20; n += 1) ports.push(await freePort());
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.max(...ports)).toBeLessThan(FIRST_OUTGOING);
    for (const port of ports) expect(await isPortFree(port)).toBe(true);
  });
});

describe('isPortFree', () => {
  it('is false while a server listens', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await isPortFree(port)).toBe(true);
  });
});
