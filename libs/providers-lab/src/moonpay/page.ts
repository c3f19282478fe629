import { checkoutPage } from '../server/html.js';

const SHOWN = ['quoteCurrencyAmount', 'currencyCode', 'walletAddress', 'paymentMethod'];

/** Page of the widget. */
export const widgetPage = (query: URLSearchParams): string =>
  checkoutPage(
    'Simulated MoonPay',
    Object.fromEntries(SHOWN.map((name) => [name, query.get(name) ?? ''])),
    {
      [`pay?${query.toString()}`]: 'Pay',
      [`begin?${query.toString()}`]: 'Pay later',
      [`decline?${query.toString()}`]: 'Pay with a declined card',
    },
  );
