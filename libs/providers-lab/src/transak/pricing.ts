import { cents, tokenText } from '../server/amounts.js';
import { FIATS, optionOf, type TransakToken } from './lists.js';

export interface Purchase {
  token: TransakToken;
  fiat: string;
  option: string;
  fiatAmount: number;
  cryptoAmount: number;
  transakFee: number;
  networkFee: number;
  totalFee: number;
}

interface Asked {
  symbol: string;
  network: string;
  fiat: string;
  option: string;
  fiatAmount: number;
}

const FEE = 0.0389;
const FLAT_FEE = 1;
const NETWORK_FEE = 0.1;

/** Prices a total, fees included; a text is the reason of a refusal. */
export function purchaseOf(tokens: readonly TransakToken[], asked: Asked): Purchase | string {
  const { fiat, fiatAmount, option } = asked;
  const token = tokens.find(
    ({ symbol, network }) => symbol === asked.symbol && network === asked.network,
  );
  const limits = optionOf(fiat, option);
  if (!token || token.isSuspended) return 'Invalid cryptoCurrency';
  const isExcepted = token.fiatCurrenciesNotSupported?.some(
    ({ fiatCurrency, paymentMethod }) => fiatCurrency === fiat && paymentMethod === option,
  );
  if (!limits || isExcepted) return 'Invalid payment method';
  if (!(fiatAmount >= limits.min && fiatAmount <= limits.max)) return 'Invalid fiat amount';
  const transakFee = cents(fiatAmount * FEE + FLAT_FEE);
  const totalFee = cents(transakFee + NETWORK_FEE);
  const price = token.usdPrice * (FIATS[fiat]?.perUsd ?? 1);
  const cryptoAmount = Number(tokenText((fiatAmount - totalFee) / price, token.decimals));
  return {
    ...{ token, fiat, option, fiatAmount, cryptoAmount },
    ...{ transakFee, networkFee: NETWORK_FEE, totalFee },
  };
}

/** Answer of the price API. */
export const quoteOf = (quoteId: string, purchase: Purchase) => ({
  quoteId,
  conversionPrice: purchase.cryptoAmount / purchase.fiatAmount,
  marketConversionPrice: 1 / purchase.token.usdPrice,
  slippage: 1,
  fiatCurrency: purchase.fiat,
  cryptoCurrency: purchase.token.symbol,
  paymentMethod: purchase.option,
  fiatAmount: purchase.fiatAmount,
  cryptoAmount: purchase.cryptoAmount,
  isBuyOrSell: 'BUY',
  network: purchase.token.network,
  feeDecimal: purchase.totalFee / purchase.fiatAmount,
  totalFee: purchase.totalFee,
  feeBreakdown: [
    { name: 'Transak fee', value: purchase.transakFee, id: 'transak_fee', ids: ['transak_fee'] },
    { name: 'Network fee', value: purchase.networkFee, id: 'network_fee', ids: ['network_fee'] },
  ],
  nonce: 1,
});
