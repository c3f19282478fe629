import { Chains, parseChainsConfig } from '@bascule/chain';
import { developmentAddresses } from '@bascule/solidity';
import {
  setSanctioned,
  startCapturingServer,
  startLyingNode,
  startTestChain,
} from '@bascule/testing';
import type { CannedResponse, CapturingServer, LyingNode, TestChain } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFunctionResult, encodeFunctionResult, multicall3Abi, numberToHex } from 'viem';
import type { Address, Hex } from 'viem';
import { ApiSource } from './api-source.js';
import { FileSource } from './file-source.js';
import { OracleSource } from './oracle-source.js';

const SANCTIONED: Address = '0x00000000000000000000000000000000000000aa';
const CLEAR: Address = '0x00000000000000000000000000000000000000bb';
const NOWHERE = 'http://127.0.0.1:9';
const { signal } = new AbortController();

describe('the on-chain oracle', () => {
  let chain: TestChain;
  let liar: LyingNode;
  beforeAll(async () => {
    chain = await startTestChain();
    liar = await startLyingNode(chain.rpcUrl);
    await setSanctioned(chain.rpcUrl, [SANCTIONED]);
  });
  afterEach(() => liar.lies.clear());
  afterAll(async () => {
    await liar.stop();
    await chain.stop();
  });

  const oracle = (rpcUrls: string, address: Address = developmentAddresses.sanctionsList) =>
    new OracleSource(
      new Chains(parseChainsConfig({ CHAINS: 'alphanet', RPC_URLS_ALPHANET: rpcUrls })).get(
        'alphanet',
      ),
      address,
    );

  it('reports exactly the addresses on its list', async () => {
    expect([...(await oracle(chain.rpcUrl).screen([CLEAR, SANCTIONED])).sanctioned]).toEqual([
      SANCTIONED,
    ]);
    await setSanctioned(chain.rpcUrl, [SANCTIONED], false);
    expect([...(await oracle(chain.rpcUrl).screen([CLEAR, SANCTIONED])).sanctioned]).toEqual([]);
    await setSanctioned(chain.rpcUrl, [SANCTIONED]);
  });

  it('gives no answer where the contract does not exist', async () => {
    await expect(oracle(chain.rpcUrl, CLEAR).screen([SANCTIONED])).rejects.toThrow();
  });

  /** Sanctioned addresses, and those without a verdict, by nodes of which some have an empty list or do not answer. */
  const verdictOf = async (...nodes: ('honest' | 'false' | 'away')[]) => {
    const urls = { honest: chain.rpcUrl, false: liar.url, away: NOWHERE };
    const source = oracle(nodes.map((node) => urls[node]).join(','));
    const { sanctioned, unanswered } = await source.screen([CLEAR, SANCTIONED]);
    return { sanctioned: [...sanctioned], unanswered: [...unanswered] };
  };
  const lie = (answer: (isSanctioned: boolean) => boolean): void => {
    liar.lies.set('eth_call', async (_, honest) => {
      const { result } = await honest();
      const verdicts = { abi: multicall3Abi, functionName: 'aggregate3' } as const;
      const told = decodeFunctionResult({ ...verdicts, data: result as Hex });
      return {
        result: encodeFunctionResult({
          ...verdicts,
          result: told.map(({ returnData }) => ({
            success: true,
            returnData: numberToHex(answer(BigInt(returnData) === 1n) ? 1 : 0, { size: 32 }),
          })),
        }),
      };
    });
  };

  it('taints no address by the word of one node of two or three, and has no verdict then', async () => {
    lie(() => true);
    const onlyDisputed = { sanctioned: [SANCTIONED], unanswered: [CLEAR] };
    expect(await verdictOf('false', 'honest')).toEqual(onlyDisputed);
    expect(await verdictOf('false', 'honest', 'honest')).toEqual(onlyDisputed);
    const lone = { sanctioned: [], unanswered: [CLEAR, SANCTIONED] };
    expect(await verdictOf('false', 'away')).toEqual(lone);
  });

  it('clears no address that another node of two or three reports', async () => {
    lie(() => false);
    const disputed = { sanctioned: [], unanswered: [SANCTIONED] };
    expect(await verdictOf('false', 'honest')).toEqual(disputed);
    expect(await verdictOf('false', 'false', 'honest')).toEqual(disputed);
    const sanctioned = { sanctioned: [SANCTIONED], unanswered: [] };
    expect(await verdictOf('false', 'honest', 'honest')).toEqual(sanctioned);
  });

  it('clears while one node of two or three is away, and has no verdict about what is reported then', async () => {
    const unconfirmed = { sanctioned: [], unanswered: [SANCTIONED] };
    expect(await verdictOf('honest', 'away')).toEqual(unconfirmed);
    const sanctioned = { sanctioned: [SANCTIONED], unanswered: [] };
    expect(await verdictOf('honest', 'honest', 'away')).toEqual(sanctioned);
  });

  it('gives no answer while no node answers, or only one of three', async () => {
    await expect(verdictOf('away')).rejects.toThrow('too few endpoints');
    await expect(verdictOf('away', 'away')).rejects.toThrow('too few endpoints');
    await expect(verdictOf('honest', 'away', 'away')).rejects.toThrow('too few endpoints');
  });
});

describe('the screening API', () => {
  let server: CapturingServer;
  let response: CannedResponse;
  let source: ApiSource;
  beforeEach(async () => {
    server = await startCapturingServer(() => response);
    source = new ApiSource({ url: `${server.url}/public/v1`, key: 'k1', timeoutMs: 60_000 });
  });
  afterEach(async () => {
    await source.close();
    await server.stop();
  });

  const answers = (body: unknown, status = 200) => {
    response = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };
  const verdict = (address: string, isSanctioned: unknown) => ({ address, isSanctioned });

  it('is asked about all addresses by one authenticated call', async () => {
    answers([verdict(CLEAR.toUpperCase().replace('0X', '0x'), false), verdict(SANCTIONED, true)]);
    expect([...(await source.screen([SANCTIONED, CLEAR], signal)).sanctioned]).toEqual([
      SANCTIONED,
    ]);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/public/v1/sanctions/screening' });
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('k1:k1').toString('base64')}`);
    expect(JSON.parse(String(request?.body))).toEqual([
      { address: SANCTIONED },
      { address: CLEAR },
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, unknown, number]>([
    ['an empty list', [], 200],
    ['a verdict about another address', [verdict(SANCTIONED, false)], 200],
    ['a verdict too many', [verdict(CLEAR, false), verdict(SANCTIONED, false)], 200],
    ['a verdict that is no boolean', [verdict(CLEAR, 'false')], 200],
    ['null for a verdict', [verdict(CLEAR, null)], 200],
    ['an object', { isSanctioned: false }, 200],
    ['a page of HTML', '<html>', 200],
    ['a wrong key', [verdict(CLEAR, false)], 401],
    ['a limit', [verdict(CLEAR, false)], 429],
    ['a failure', [verdict(CLEAR, false)], 500],
  ])('gives no answer by %s', async (_, body, status) => {
    answers(body, status);
    await expect(source.screen([CLEAR], signal)).rejects.toMatchObject({ name: 'PeerError' });
  });

  it('is believed when one of two verdicts about an address says sanctioned', async () => {
    answers([verdict(CLEAR, true), verdict(CLEAR, false)]);
    expect([...(await source.screen([CLEAR], signal)).sanctioned]).toEqual([CLEAR]);
  });
});

/** Two other addresses, each in a line. */
const OTHERS = [1, 2].map((digit) => `0x${String(digit).padStart(40, '0')}\n`).join('');

describe('the file', () => {
  let directory: string;
  let path: string;
  let source: FileSource;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bascule-screening-'));
    path = join(directory, 'sanctioned.txt');
    source = new FileSource(path);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const isSanctioned = async () =>
    (await source.screen([SANCTIONED, CLEAR])).sanctioned.has(SANCTIONED);

  it('is read again when it is edited or replaced', async () => {
    writeFileSync(path, '# addresses: 0\n');
    expect(await isSanctioned()).toBe(false);
    writeFileSync(path, `${SANCTIONED}\n`);
    expect(await isSanctioned()).toBe(true);
    writeFileSync(`${path}.new`, `${CLEAR}\n`);
    renameSync(`${path}.new`, path);
    expect(await isSanctioned()).toBe(false);
  });

  it.each([
    ['is empty', ''],
    ['has comments only', '# list of today\n'],
    ['ends within a line', `# of today\n${CLEAR}`],
    ['has lost more than half of its addresses', `${CLEAR}\n`],
    ['has fewer addresses than it says', `# addresses: 3\n${CLEAR}\n`],
    ['has more addresses than it says', `# addresses: 1\n${CLEAR}\n${OTHERS}`],
  ])('answers by the former list where it %s', async (_, text) => {
    writeFileSync(path, `# addresses: 3\n${SANCTIONED}\n${OTHERS}`);
    expect(await isSanctioned()).toBe(true);
    expect(source.outdated).toBeUndefined();
    writeFileSync(path, text);
    expect(await isSanctioned()).toBe(true);
    expect(source.outdated?.message).toContain(path);
    // A second truncated file changes nothing.
    writeFileSync(path, `${text}\n# again`);
    expect(await isSanctioned()).toBe(true);
    writeFileSync(path, `# addresses: 1\n${CLEAR}\n`);
    expect(await isSanctioned()).toBe(false);
    expect(source.outdated).toBeUndefined();
  });

  it('counts an address that it has twice as two', async () => {
    writeFileSync(
      path,
      `# addresses: 2\n${SANCTIONED}\n${SANCTIONED.toUpperCase().replace('X', 'x')}\n`,
    );
    expect(await isSanctioned()).toBe(true);
  });

  it('gives no answer while it is empty from the start', async () => {
    writeFileSync(path, '');
    await expect(isSanctioned()).rejects.toThrow('found none; add a line "# addresses: 0"');
  });

  it.each([
    ['no number of addresses', 'expected the number of addresses', `${CLEAR}\n`],
    ['more addresses than it says', 'expected 1 addresses', `# addresses: 1\n${CLEAR}\n${OTHERS}`],
  ])(
    'gives no answer after a restart with %s, since it may be truncated',
    async (_, reason, text) => {
      writeFileSync(path, text);
      await expect(isSanctioned()).rejects.toThrow(reason);
      writeFileSync(path, `# addresses: 1\n${SANCTIONED}\n`);
      expect(await isSanctioned()).toBe(true);
      expect(source.outdated).toBeUndefined();
    },
  );

  it('gives no answer while it is missing or malformed, and answers again afterwards', async () => {
    await expect(isSanctioned()).rejects.toThrow('ENOENT');
    writeFileSync(path, `# addresses: 1\n${SANCTIONED}\n`);
    expect(await isSanctioned()).toBe(true);
    writeFileSync(path, 'no address');
    await expect(isSanctioned()).rejects.toThrow('line 1: expected an address');
    writeFileSync(path, `# addresses: 1\n${CLEAR}\n`);
    expect(await isSanctioned()).toBe(false);
    rmSync(path);
    await expect(isSanctioned()).rejects.toThrow('ENOENT');
  });
});
