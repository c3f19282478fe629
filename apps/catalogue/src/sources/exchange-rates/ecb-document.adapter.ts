import { DOMParser, onErrorStopParsing, type Element } from '@xmldom/xmldom';
import { UnreadableAnswerError } from '../../upstream/unreadable-answer.js';
import type { EcbDocument } from '../../prices/ecb-rates.js';

const GESMES = 'http://www.gesmes.org/xml/2002-08-01';
const EUROFXREF = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';

/**
 * Reads `eurofxref-daily.xml`: `gesmes:Envelope > Cube > Cube[@time] > Cube[@currency][@rate]`.
 * @throws UnreadableAnswerError for anything else, and for what is not well-formed
 */
export function parseEcbDocument(text: string): EcbDocument {
  const root = rootOf(text);
  if (root?.namespaceURI !== GESMES || root.localName !== 'Envelope') {
    throw new UnreadableAnswerError('no envelope of exchange rates');
  }
  const days = cubesIn(root).flatMap(cubesIn);
  const [day] = days;
  const date = day?.getAttribute('time');
  if (!day || days.length > 1 || !date) {
    throw new UnreadableAnswerError('not the exchange rates of one day');
  }
  const rates = cubesIn(day).map((cube) => ({
    currency: cube.getAttribute('currency') ?? '',
    rate: cube.getAttribute('rate') ?? '',
  }));
  return { date, rates };
}

function rootOf(text: string): Element | null {
  try {
    const parser = new DOMParser({ onError: onErrorStopParsing });
    const document = parser.parseFromString(text, 'application/xml');
    // The bank's has none; one could define entities.
    if (document.doctype) throw new Error('a document type');
    return document.documentElement;
  } catch (error) {
    throw new UnreadableAnswerError('no well-formed XML', { cause: error });
  }
}

const cubesIn = (parent: Element): Element[] =>
  Array.from(parent.childNodes).filter(
    (node): node is Element =>
      node.nodeType === node.ELEMENT_NODE &&
      node.namespaceURI === EUROFXREF &&
      node.localName === 'Cube',
  );
