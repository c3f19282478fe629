const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Page of the widget: what is bought, and the customer's decisions. */
export function widgetPage(query: URLSearchParams): string {
  const rows = ['quoteCurrencyAmount', 'currencyCode', 'walletAddress', 'paymentMethod']
    .map((name) => `<p>${name}: <b>${escape(query.get(name) ?? '')}</b></p>`)
    .join('');
  const button = (action: string, label: string) =>
    `<form method="post" action="${action}?${escape(query.toString())}"><button>${label}</button></form>`;
  return `<!doctype html><title>Buy</title><h1>Simulated MoonPay</h1>${rows}
    ${button('pay', 'Pay')}${button('begin', 'Pay later')}${button('decline', 'Pay with a declined card')}`;
}
