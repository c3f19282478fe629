const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Page of a checkout: what is bought, and the customer's decisions as buttons by their action. */
export function checkoutPage(
  title: string,
  rows: Readonly<Record<string, string>>,
  buttons: Readonly<Record<string, string>>,
): string {
  const list = Object.entries(rows).map(
    ([name, value]) => `<p>${escapeHtml(name)}: <b>${escapeHtml(value)}</b></p>`,
  );
  const forms = Object.entries(buttons).map(
    ([action, label]) =>
      `<form method="post" action="${escapeHtml(action)}"><button>${label}</button></form>`,
  );
  return `<!doctype html><title>Buy</title><h1>${title}</h1>${list.join('')}${forms.join('')}`;
}
