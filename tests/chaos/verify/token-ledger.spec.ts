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
import { addTo, differences, leaks, type TokenLedger, type LedgerEntry } from './token-ledger.js';
import { chainLedger, type LedgerPayment } from './chain-ledger.js';
import type { ChainRecord } from './chain-record.js';
import { databaseLedger } from './database-ledger.js';

const payment: LedgerPayment = {
  wallet: WALLET,
  destination: DESTINATION,
  declaration,
  deposits: [],
};

async function chainsLedger(records: readonly ChainRecord[], of = payment): Promise<TokenLedger> {
  const ledger: TokenLedger = new Map();
  for (const record of records) addTo(ledger, await chainLedger(of, record));
  return ledger;
}

const nonZero = (ledger: TokenLedger) =>
  Object.fromEntries(
    [...ledger]
      .map(([token, entry]): [string, Partial<LedgerEntry>] => [
        token,
        Object.fromEntries(Object.entries(entry).filter(([, units]) => units !== 0n)),
      ])
      .filter(([, entry]) => Object.keys(entry).length > 0),
  );

describe('the ledgers of a payment that crosses chains', () => {
  it('count each token per chain and bridged amounts not as paid out', async () => {
    expect(nonZero(await chainsLedger(crossedRecords()))).toEqual({
      [wethHere]: { deposits: 100n, used: 100n, fees: 3n },
      [usdcHere]: { bridged: 200n },
      [usdcThere]: { deposits: 198n, used: 198n, fees: 2n },
      [wethThere]: { paidOut: 95n },
    });
  });

  it('match between chain and databases and add up', async () => {
    const ledger = await chainsLedger(crossedRecords());
    expect(differences(ledger, databaseLedger(PAYMENT_ID, crossedRows()))).toEqual([]);
    expect(leaks(ledger)).toEqual([]);
  });

  it('differ when the databases have another amount on either chain', async () => {
    const ledger = await chainsLedger(crossedRecords());
    const rows = crossedRows();
    const [sent, paid] = rows.legs;
    if (!sent?.settlement || !paid?.settlement) throw new Error('there are two legs');
    sent.settlement.output = '201';
    paid.settlement.output = '94';
    expect(differences(ledger, databaseLedger(PAYMENT_ID, rows))).toEqual([
      `bridged of ${usdcHere}: 200 on chain, 201 in the databases`,
      `paidOut of ${wethThere}: 95 on chain, 94 in the databases`,
    ]);
  });

  it('do not add up when more left the wallet than arrived', async () => {
    const [here, there] = crossedRecords({ [`${usdcThere} ${WALLET}`]: 1n });
    const ledger = await chainsLedger([here, there]);
    expect(leaks(ledger)).toEqual([`${usdcThere} does not add up on chain`]);
  });

  it('compare blocks with those of the same chain only', async () => {
    const rows = crossedRows();
    // Block 60 of one chain is after all its events, and unrelated to block 9 of the other chain.
    const mined = { transactionHash: '0x', blockNumber: '60', remaining: [] };
    rows.paymentWithdrawals = [
      { paymentId: PAYMENT_ID, chain: 'alphanet', nonce: '1', withdrawId: '', status: '', mined },
    ];
    const ledger = databaseLedger(PAYMENT_ID, rows);
    expect(ledger.get(usdcThere)?.left).toBe(0n);
    expect(differences(await chainsLedger(crossedRecords()), ledger)).toEqual([]);
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
    expect(nonZero(await chainsLedger([here, there], of))).toMatchObject({
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
    expect(nonZero(await chainsLedger([here, there]))[wethHere]).toEqual({
      ...{ deposits: 105n, used: 100n, fees: 3n, withdrawn: 5n },
    });
  });
});
