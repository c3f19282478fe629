import { describe, expect, it } from '@jest/globals';
import { AnswerTooLargeError } from '@bascule/chain';
import { RpcRequestError, TimeoutError } from 'viem';
import { PartReaderClient } from './part-reader.client.js';

const url = 'http://node.example';
const said = (message: string, code = -32_000) =>
  new RpcRequestError({ body: {}, url, error: { code, message } });
const timeout = () => new TimeoutError({ body: {}, url });
const tooLarge = () => new AnswerTooLargeError(said('response too large'));

describe('reading in parts', () => {
  const items = Array.from({ length: 1_200 }, (_, index) => index);

  /** Reads items from a node that fails in this way where it is asked for this item. */
  async function readFrom(
    { failure, item, isAlive = true }: { failure: () => Error; item?: number; isAlive?: boolean },
    readOne?: (item: number) => Promise<number[]>,
  ) {
    const asked: number[] = [];
    let probes = 0;
    const reader = new PartReaderClient({
      getBlockNumber: () => {
        probes += 1;
        return isAlive ? Promise.resolve(1n) : Promise.reject(timeout());
      },
    });
    const found = await reader
      .read(
        items,
        (part) => {
          asked.push(part.length);
          const isRefused = item === undefined || part.includes(item);
          return isRefused ? Promise.reject(failure()) : Promise.resolve([...part]);
        },
        readOne,
      )
      .catch((error: unknown) => error);
    return { found, asked, probes };
  }

  it('asks for 500 items at once', async () => {
    const { found, asked } = await readFrom({ failure: tooLarge, item: -1 });
    expect(found).toEqual(items);
    expect(asked).toEqual([500, 500, 200]);
  });

  it.each([
    ['too large', tooLarge],
    ['too slow', timeout],
    ['too slow for the node itself', () => said('request timed out', -32_002)],
  ])('finds the one item whose answer is %s', async (_name, failure) => {
    const { found } = await readFrom({ failure, item: 0 }, (item) => Promise.resolve([-1 - item]));
    expect(found).toEqual([-1, ...items.slice(1)]);
  });

  it('narrows a slow request by tenths: each timeout costs seconds', async () => {
    const { asked, probes } = await readFrom({ failure: timeout, item: 0 }, () =>
      Promise.resolve([]),
    );
    expect(asked.slice(0, 4)).toEqual([500, 50, 5, 1]);
    expect(probes).toBe(4);
  });

  it('fails at the second timeout of a node that does not answer any more', async () => {
    const { found, asked, probes } = await readFrom({ failure: timeout, isAlive: false });
    expect(found).toBeInstanceOf(TimeoutError);
    expect({ asked, probes }).toEqual({ asked: [500], probes: 1 });
  });

  it('fails where a node that answers times out for all parts', async () => {
    const { found, asked } = await readFrom({ failure: timeout }, () => Promise.resolve([]));
    expect(found).toBeInstanceOf(TimeoutError);
    expect(asked).toHaveLength(9);
  });

  it('fails at once by another failure', async () => {
    const { found, asked } = await readFrom({ failure: () => said('header not found') });
    expect(found).toBeInstanceOf(RpcRequestError);
    expect(asked).toEqual([500]);
  });
});
