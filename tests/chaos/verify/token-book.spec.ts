import { tokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import {
  crossedRecords,
  crossedRows,
  declaration,
  DESTINATION,
  OWNER,
  PAYMENT_ID,
  usdcHere,
  usdcThere,
  WALLET,
  wethHere,
  wethThere,
} from './testing/crossing.fixture.js';
import { addTo, differences, leaks, type TokenBook, type BookEntry } from './token-book.js';
import { chainBook, type BookedPayment } from './chain-book.js';
import type { ChainRecord } from './chain-record.js';
import { databaseBook } from './database-book.js';

const payment: BookedPayment = {
  wallet: WALLET,
  destination: DESTINATION,
  declaration,
  deposits: [],
};

async function chainsBook(records: readonly ChainRecord[], of = payment): Promise<TokenBook> {
  const book: TokenBook = new Map();
  for (const record of records) addTo(book, await chainBook(of, record));
  return book;
}

const nonZero = (book: TokenBook) =>
  Object.fromEntries(
    [...book]
      .map(([token, entry]): [string, Partial<BookEntry>] => [
        token,
        Object.fromEntries(Object.entries(entry).filter(([, units]) => units !== 0n)),
      ])
      .filter(([, entry]) => Object.keys(entry).length > 0),
  );

describe('the books of a payment that crosses chains', () => {
  it('count each token per chain and bridged amounts not as paid out', async () => {
    expect(nonZero(await chainsBook(crossedRecords()))).toEqual({
      [wethHere]: { deposits: 100n, used: 100n, fees: 3n },
      [usdcHere]: { bridged: 200n },
      [usdcThere]: { deposits: 198n, used: 198n, fees: 2n },
      [wethThere]: { paidOut: 95n },
    });
  });

  it('match between chain and databases and add up', async () => {
    const book = await chainsBook(crossedRecords());
    expect(differences(book, databaseBook(PAYMENT_ID, crossedRows()))).toEqual([]);
    expect(leaks(book)).toEqual([]);
  });

  it('differ when the databases have another amount on either chain', async () => {
    const book = await chainsBook(crossedRecords());
    const rows = crossedRows();
    const [sent, paid] = rows.legs;
    if (!sent?.settlement || !paid?.settlement) throw new Error('there are two legs');
    sent.settlement.output = '201';
    paid.settlement.output = '94';
    expect(differences(book, databaseBook(PAYMENT_ID, rows))).toEqual([
      `bridged of ${usdcHere}: 200 on chain, 201 in the databases`,
      `paidOut of ${wethThere}: 95 on chain, 94 in the databases`,
    ]);
  });

  it('do not add up when more left the wallet than arrived', async () => {
    const [here, there] = crossedRecords({ [`${usdcThere} ${WALLET}`]: 1n });
    const book = await chainsBook([here, there]);
    expect(leaks(book)).toEqual([`${usdcThere} does not add up on chain`]);
  });

  it('compare blocks with those of the same chain only', async () => {
    const rows = crossedRows();
    // Block 60 of one chain is after all its events, and unrelated to block 9 of the other chain.
    const mined = { transactionHash: '0x', blockNumber: '60', remaining: [] };
    rows.paymentWithdrawals = [
      { paymentId: PAYMENT_ID, chain: 'alphanet', nonce: '1', withdrawId: '', status: '', mined },
    ];
    const book = databaseBook(PAYMENT_ID, rows);
    expect(book.get(usdcThere)?.left).toBe(0n);
    expect(differences(await chainsBook(crossedRecords()), book)).toEqual([]);
  });

  it('count native currency by deposits and destination balances', async () => {
    const native = tokenIdentifier('alphanet', zeroAddress);
    const nativeThere = tokenIdentifier('betanet', zeroAddress);
    const [leg, last] = declaration.legs;
    if (!leg || !last) throw new Error('there are two legs');
    const legs = [{ ...leg, inputToken: zeroAddress }, last];
    const deposits = [{ token: native, units: 100n, hash: '0x' as const }];
    const [here, there] = crossedRecords({ [`${nativeThere} ${DESTINATION}`]: 95n });
    here.transfers = here.transfers.filter(({ token }) => token !== wethHere);
    there.transfers = there.transfers.filter(({ token }) => token !== wethThere);
    const of = { ...payment, declaration: { ...declaration, legs }, deposits };
    expect(nonZero(await chainsBook([here, there], of))).toMatchObject({
      [native]: { deposits: 100n, used: 100n, fees: 3n },
      [nativeThere]: { paidOut: 95n },
    });
  });

  it('separate withdrawals of the owner from the use of a leg', async () => {
    const [here, there] = crossedRecords();
    const withdrawn = {
      token: wethHere,
      from: WALLET,
      to: OWNER,
      units: 5n,
      hash: '0x77' as const,
    };
    here.transfers.push({ ...withdrawn, from: OWNER, to: WALLET }, withdrawn);
    expect(nonZero(await chainsBook([here, there]))[wethHere]).toEqual({
      ...{ deposits: 105n, used: 100n, fees: 3n, withdrawn: 5n },
    });
  });
});
