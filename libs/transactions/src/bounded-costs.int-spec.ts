import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, setDataFee, startLyingNode } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { keccak256, numberToHex, parseEther, parseGwei, parseTransaction } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { SignerUnfundedError } from './signer-funds.js';
import { Bench, type Replica } from './testing/sending-stage.fixture.js';
import { TransactionTooExpensiveError } from './transaction-too-expensive-error.js';

const recipient = () => privateKeyToAccount(generatePrivateKey()).address;
const GAS = 50_000n;

interface AttemptRow {
  purpose: string;
  is_sent: boolean;
  raw_transaction: Hex;
}

describe('a transaction with a bound of its cost', () => {
  let bench: Bench;

  const start = (...args: Parameters<Bench['replica']>) => bench.replica(...args);
  const pay = (replica: Replica, reference: string, bounds: { maxCost?: bigint } = {}) =>
    replica.record({
      ...{ chain: 'alphanet', reference, to: recipient(), data: '0x', value: 1n },
      ...{ gasLimit: GAS, ...bounds },
    });
  /** Records and signs, and broadcasts to the chain. */
  const send = async (replica: Replica, reference: string, bounds: { maxCost?: bigint } = {}) => {
    await pay(replica, reference, bounds);
    await replica.sender.broadcast(reference);
  };
  const attemptsOf = async (replica: Replica, reference: string) => {
    const rows: AttemptRow[] = await replica.dataSource.query(
      `SELECT a.purpose, a.broadcast_at IS NOT NULL AS is_sent, a.raw_transaction
       FROM chain_transaction_attempts a JOIN chain_transactions t ON t.id = a.transaction_id
       WHERE t.reference = $1 ORDER BY a.number`,
      [reference],
    );
    return rows.map(({ purpose, is_sent, raw_transaction }) => {
      const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw_transaction);
      return { purpose, isSent: is_sent, maxFeePerGas, cost: gas * maxFeePerGas };
    });
  };
  /** Base fee of the next blocks, which stay empty; the tip is one gwei. */
  const baseFee = async (gwei: string) => {
    await bench.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
    await bench.node.mine({ blocks: 1 });
  };

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(async () => {
    await bench.stopReplicas();
    await baseFee('1');
    await bench.resumeMining();
  });
  afterAll(() => bench.stop());

  it('is not recorded while the present price exceeds it', async () => {
    const replica = await start((await bench.fundedKey()).privateKey);
    await bench.stopMining();
    await baseFee('10');
    const maxCost = GAS * parseGwei('10');
    await expect(pay(replica, 'dear', { maxCost })).rejects.toThrow(TransactionTooExpensiveError);
    expect(await replica.sender.find('dear')).toBeNull();
    await baseFee('5');
    await send(replica, 'dear', { maxCost });
    const [first] = await attemptsOf(replica, 'dear');
    expect(first?.cost).toBeLessThanOrEqual(maxCost);
    // Without the bound it would offer twice the base fee, and the tip.
    expect(first?.maxFeePerGas).toBe(parseGwei('10'));
  });

  it('is replaced within it, then cancelled once the price exceeds it', async () => {
    const key = await bench.fundedKey();
    const replica = await start(key.privateKey, { replaceAfterMs: 200 });
    await bench.stopMining();
    await baseFee('5');
    const maxCost = GAS * parseGwei('14');
    await pay(replica, 'stuck', { maxCost });
    await pay(replica, 'behind');
    replica.work();
    await eventually(async () => {
      expect((await attemptsOf(replica, 'stuck')).length).toBeGreaterThan(1);
    });
    await baseFee('30');
    await eventually(async () => {
      const newest = (await attemptsOf(replica, 'stuck')).at(-1);
      expect(newest).toMatchObject({ purpose: 'cancellation', isSent: true });
    });
    for (const { cost } of await attemptsOf(replica, 'stuck')) {
      expect(cost).toBeLessThanOrEqual(maxCost);
    }
    await baseFee('1');
    await bench.resumeMining();
    await eventually(() => {
      expect(replica.of('stuck')).toMatchObject([{ status: 'dropped' }]);
      expect(replica.of('behind')).toMatchObject([{ status: 'success' }]);
    });
  });

  it.each(['refuses', 'keeps'])(
    'is cancelled, and the next one mined, while its fees are below the price as a node hides it that %s it',
    async (way) => {
      const [hidden, next] = [`hidden price, ${way}`, `after it, ${way}`];
      const liar = await startLyingNode(bench.rpcUrl);
      try {
        const { privateKey } = await bench.fundedKey();
        const rpcUrls = [liar.url, bench.rpcUrl];
        const replica = await start(privateKey, { rpcUrls, replaceAfterMs: 200 });
        await bench.stopMining();
        await baseFee('10');
        liar.lies.set('eth_getBlockByNumber', async (_, honest) => {
          const { result, ...answer } = await honest();
          return { ...answer, result: { ...(result as object), baseFeePerGas: '0x0' } };
        });
        const refusal = { code: -32_000, message: 'max fee per gas less than block base fee' };
        liar.lies.set('eth_sendRawTransaction', ({ params: [raw] }) =>
          Promise.resolve(
            way === 'refuses' ? { error: refusal } : { result: keccak256(raw as Hex) },
          ),
        );
        const maxCost = GAS * parseGwei('8');
        await send(replica, hidden, { maxCost });
        await pay(replica, next);
        const [payload] = await attemptsOf(replica, hidden);
        const isSent = way === 'keeps';
        expect(payload).toMatchObject({ isSent, maxFeePerGas: parseGwei('8') });
        replica.work();
        await eventually(async () => {
          const attempts = await attemptsOf(replica, hidden);
          expect(attempts.at(-1)).toMatchObject({ purpose: 'cancellation', isSent: true });
          expect(attempts.filter(({ purpose }) => purpose === 'payload')).toHaveLength(1);
          for (const { cost } of attempts) expect(cost).toBeLessThanOrEqual(maxCost);
        });
        await bench.resumeMining();
        await eventually(() => {
          expect(replica.of(hidden)).toMatchObject([{ status: 'dropped' }]);
          expect(replica.of(next)).toMatchObject([{ status: 'success' }]);
        });
      } finally {
        await liar.stop();
      }
    },
  );

  const UNFUNDED = 'insufficient funds for gas * price + value';
  const CAPPED = 'tx fee (3.75 ether) exceeds the configured cap (1.00 ether)';
  const UNDERPRICED = 'transaction underpriced';

  it.each([
    ['its costs beyond the key’s funds', UNFUNDED, UNFUNDED, true],
    ['a fee cap of their own', CAPPED, CAPPED, true],
    ['a cap that no node raises', CAPPED, CAPPED, false],
    ['funds, and the one that had it for its price', UNDERPRICED, UNFUNDED, true],
  ])('is cancelled once nodes refuse it for %s', async (why, first, second, isKept) => {
    const nodes = [await startLyingNode(bench.rpcUrl), await startLyingNode(bench.rpcUrl)];
    try {
      const { privateKey } = await bench.fundedKey();
      const rpcUrls = nodes.map(({ url }) => url);
      const replica = await start(privateKey, { rpcUrls, replaceAfterMs: 200 });
      let keeps = isKept;
      for (const node of nodes) {
        node.lies.set('eth_sendRawTransaction', ({ params: [raw] }, honest) => {
          if (parseTransaction(raw as Hex).gas !== GAS) return honest();
          const isFirst = keeps && node === nodes[0];
          if (isFirst) keeps = false;
          const message = node === nodes[0] ? first : second;
          return Promise.resolve(
            isFirst ? { result: keccak256(raw as Hex) } : { error: { code: -32_000, message } },
          );
        });
      }
      await send(replica, why);
      replica.work();
      await eventually(() => {
        expect(replica.of(why)).toMatchObject([{ status: 'dropped' }]);
      });
      const attempts = await attemptsOf(replica, why);
      expect(attempts[0]).toMatchObject({ purpose: 'payload', isSent: isKept });
      const cancellation = attempts.find(({ purpose }) => purpose === 'cancellation');
      const payload = attempts.findLast(({ purpose }) => purpose === 'payload');
      // A replacement of what nodes have would cost 13 % more.
      expect(100n * (cancellation?.maxFeePerGas ?? 0n)).toBeLessThan(
        110n * (payload?.maxFeePerGas ?? 0n),
      );
    } finally {
      for (const node of nodes) await node.stop();
    }
  });

  it('is raised, and not cancelled, where it waited for long and all nodes find it underpriced', async () => {
    const node = await startLyingNode(bench.rpcUrl);
    try {
      const { privateKey } = await bench.fundedKey();
      const replica = await start(privateKey, { rpcUrls: [node.url, node.url] });
      let kept: unknown;
      node.lies.set('eth_sendRawTransaction', ({ params: [raw] }, honest) => {
        if (kept !== undefined && raw !== kept) return honest();
        const answer =
          kept === undefined
            ? { result: keccak256(raw as Hex) }
            : { error: { code: -32_000, message: UNDERPRICED } };
        kept = raw;
        return Promise.resolve(answer);
      });
      await send(replica, 'long wait');
      await replica.dataSource.query(
        `UPDATE chain_transaction_attempts SET broadcast_at = now() - interval '1 hour'
         WHERE transaction_id = (SELECT id FROM chain_transactions WHERE reference = 'long wait')`,
      );
      replica.work();
      await eventually(() => {
        expect(replica.of('long wait')).toMatchObject([{ status: 'success' }]);
      });
    } finally {
      await node.stop();
    }
  });

  describe('on a rollup that charges for data', () => {
    const rollup = async (weiPerByte: bigint, key?: Hex) => {
      const dataFeeOracle = await setDataFee(bench.rpcUrl, weiPerByte);
      const { privateKey } = key === undefined ? await bench.fundedKey() : { privateKey: key };
      return start(privateKey, { definition: { dataFeeOracle } });
    };

    it('counts the data towards it', async () => {
      await bench.stopMining();
      await baseFee('1');
      const maxCost = GAS * parseGwei('4');
      await send(await rollup(1n), 'cheap data', { maxCost });
      const dear = await rollup(maxCost);
      await expect(pay(dear, 'dear data', { maxCost })).rejects.toThrow(
        TransactionTooExpensiveError,
      );
      const [first] = await attemptsOf(dear, 'cheap data');
      expect(first?.maxFeePerGas).toBe(parseGwei('3'));
    });

    describe('beside one of two nodes that lies about it', () => {
      let liar: LyingNode;
      beforeAll(async () => {
        liar = await startLyingNode(bench.rpcUrl);
      });
      afterEach(() => liar.lies.clear());
      afterAll(() => liar.stop());

      const besideLiar = async (weiPerByte: bigint, said: bigint) => {
        const dataFeeOracle = await setDataFee(bench.rpcUrl, weiPerByte);
        const { privateKey } = await bench.fundedKey();
        const rpcUrls = [liar.url, bench.rpcUrl];
        const replica = await start(privateKey, { definition: { dataFeeOracle }, rpcUrls });
        liar.lies.set('eth_call', () =>
          Promise.resolve({ result: numberToHex(said, { size: 32 }) }),
        );
        return replica;
      };

      it('sends it within its bound, though that one invents a fee of a million ether', async () => {
        await baseFee('1');
        const maxCost = GAS * parseGwei('4');
        const replica = await besideLiar(1n, parseEther('1000000'));
        await send(replica, 'invented data', { maxCost });
        await send(replica, 'unbounded data');
        expect((await attemptsOf(replica, 'invented data'))[0]?.isSent).toBe(true);
        expect((await attemptsOf(replica, 'unbounded data'))[0]?.isSent).toBe(true);
      });

      it('leaves room for the fee of the other one, where that one hides it', async () => {
        await bench.stopMining();
        await baseFee('1');
        const maxCost = GAS * parseGwei('4');
        // About 50 bytes: about 1.5 gwei for each unit of gas.
        const replica = await besideLiar(GAS * parseGwei('0.03'), 0n);
        await send(replica, 'hidden data', { maxCost });
        const [first] = await attemptsOf(replica, 'hidden data');
        expect(first?.maxFeePerGas).toBeGreaterThanOrEqual(parseGwei('2'));
        expect(first?.maxFeePerGas).toBeLessThan(parseGwei('3'));
      });
    });

    it('counts the data towards the signer’s funds', async () => {
      const { privateKey } = await bench.fundedKey();
      const dear = await rollup(10n ** 17n, privateKey);
      await expect(pay(dear, 'unaffordable data')).rejects.toThrow(SignerUnfundedError);
      await pay(await rollup(1n, privateKey), 'affordable data');
    });
  });
});
