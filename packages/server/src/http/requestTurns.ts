import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A request costs some 0.1 ms before its call takes turns with others (`chat-server/src/turns.ts`). */
const mostPerTurn = 50;

/**
 * Begins at most `mostPerTurn` requests in one turn of the event loop. When thousands of clients return at once, Node reads the
 * requests of all of them in one turn, which would hold up everything else.
 */
export function inTurns(handle: RequestListener): RequestListener {
  const waiting: [IncomingMessage, ServerResponse<IncomingMessage>][] = [];
  let begun = 0;
  const turn = () => {
    begun = 0;
    for (const [request, response] of waiting.splice(0, mostPerTurn)) begin(request, response);
  };
  const begin: RequestListener = (request, response) => {
    if (begun === 0) setImmediate(turn);
    begun += 1;
    // A client that left while its request waited gets no answer.
    if (!request.destroyed && !response.destroyed) handle(request, response);
  };
  return (request, response) => {
    if (begun < mostPerTurn && waiting.length === 0) begin(request, response);
    else waiting.push([request, response]);
  };
}
