import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const { folderProblems } = (await import(`${import.meta.dirname}/folders.mjs`)) as {
  folderProblems: (root: string, order: Record<string, string[]>) => Promise<string[]>;
};

const ORDER = { 'apps/shop': ['prices', 'orders'] };

describe('the order of folders', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'folders-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function write(files: Record<string, string>): void {
    for (const [name, code] of Object.entries(files)) {
      const path = join(root, 'apps/shop/src', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, code);
    }
  }

  const SHOP = {
    'prices/price.ts': 'export const price = 1;',
    'orders/order.ts': "import { price } from '../prices/price.js'; export const order = price;",
    'shop.module.ts': "export { order } from './orders/order.js';",
  };

  it('accepts imports of earlier folders and in tests', async () => {
    write({
      ...SHOP,
      'prices/price.spec.ts': "import { order } from '../orders/order.js'; export const o = order;",
    });
    expect(await folderProblems(root, ORDER)).toEqual([]);
  });

  it('refuses an import of a later folder, of a type too', async () => {
    write({
      ...SHOP,
      'orders/total.ts': 'export type Total = number;',
      'prices/sum.ts': "import type { Total } from '../orders/total.js'; export type Sum = Total;",
    });
    expect(await folderProblems(root, ORDER)).toContain(
      'folder-order: apps/shop/src/prices/sum.ts → apps/shop/src/orders/total.ts',
    );
  });

  it('refuses an import of a file at the root, of the configuration too', async () => {
    write({
      ...SHOP,
      'orders/late.ts': "export { order } from '../shop.module.js';",
      'shop.config.ts': 'export type ShopConfig = { limit: number };',
      'prices/limit.ts':
        "import type { ShopConfig } from '../shop.config.js'; export type L = ShopConfig;",
    });
    const problems = (await folderProblems(root, ORDER)).join('\n');
    expect(problems).toContain(
      'folder-order: apps/shop/src/orders/late.ts → apps/shop/src/shop.module.ts',
    );
    expect(problems).toContain(
      'folder-order: apps/shop/src/prices/limit.ts → apps/shop/src/shop.config.ts',
    );
  });

  it('refuses a cycle between two files of one folder', async () => {
    write({
      ...SHOP,
      'prices/a.ts': "import { b } from './b.js'; export const a = () => b;",
      'prices/b.ts': "import { a } from './a.js'; export const b = () => a;",
    });
    expect((await folderProblems(root, ORDER)).join('\n')).toContain(
      'file-cycle: apps/shop/src/prices/a.ts → apps/shop/src/prices/b.ts',
    );
  });

  it('refuses a cycle between sub-folders', async () => {
    write({
      ...SHOP,
      'prices/fiat/rate.ts':
        "import { pool } from '../pools/pool.js'; export const rate = () => pool;",
      'prices/pools/pool.ts': 'export const pool = 1;',
      'prices/pools/depth.ts': "import { cent } from '../fiat/cent.js'; export const depth = cent;",
      'prices/fiat/cent.ts': 'export const cent = 1;',
    });
    expect((await folderProblems(root, ORDER)).join('\n')).toContain('folder-cycle');
  });

  it('refuses a folder without a place, and a place without a folder', async () => {
    write({ ...SHOP, 'refunds/refund.ts': 'export const refund = 1;' });
    expect(await folderProblems(root, { 'apps/shop': ['prices', 'orders', 'stock'] })).toEqual([
      'apps/shop/src/refunds has no place in FOLDER_ORDER (tools/boundaries.mjs)',
      'FOLDER_ORDER names apps/shop/src/stock, which does not exist',
    ]);
  });

  it('refuses an app without an order', async () => {
    write(SHOP);
    expect(await folderProblems(root, {})).toEqual([
      'apps/shop has no order of its folders in FOLDER_ORDER (tools/boundaries.mjs)',
    ]);
  });
});
