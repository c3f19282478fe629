/** US dollars per unit, for development: plausible, not current. */
export const developmentRates: Readonly<Record<string, string>> = {
  eur: '1.16',
  gbp: '1.34',
  chf: '1.25',
  cad: '0.72',
  aud: '0.66',
  jpy: '0.0066',
  brl: '0.185',
  mxn: '0.054',
  inr: '0.0113',
};
