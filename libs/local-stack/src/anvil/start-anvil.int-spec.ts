import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../ports.js';
import { isAlive } from '../processes.js';
import { rpcCall } from './json-rpc.js';
import { startAnvil } from './start-anvil.js';

const directory = mkdtempSync(join(tmpdir(), 'bascule-anvil-'));
const stateFile = join(directory, 'testnet.json');
const HOLDER = '0x00000000000000000000000000000000000a11ce';

describe('startAnvil', () => {
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('adopts a running chain and keeps its state over a stop', async () => {
    const options = { name: 'testnet', chainId: 31999, port: await freePort(), stateFile };
    const first = await startAnvil(options);
    expect(first.adopted).toBe(false);
    await rpcCall(first.rpcUrl, 'anvil_setBalance', [HOLDER, '0x7']);

    const second = await startAnvil(options);
    expect(second).toMatchObject({ adopted: true, pid: first.pid });
    await second.stop();
    expect(isAlive(first.pid)).toBe(false);

    const third = await startAnvil(options);
    try {
      expect(third.adopted).toBe(false);
      expect(await rpcCall(third.rpcUrl, 'eth_getBalance', [HOLDER, 'latest'])).toBe('0x7');
    } finally {
      await third.stop();
    }
  });
});
