import type { Endpoint, Parameters, ParametersIn } from '@engawa/protocol';
import type { CallOptions, Connection } from '../connection.ts';

/* @__NO_SIDE_EFFECTS__ */
export function callOf<P extends Parameters, Answer extends Endpoint['answer']>(endpoint: Endpoint<P, Answer>) {
  return (connection: Connection, parameters: ParametersIn<Endpoint<P, Answer>>, options?: CallOptions) =>
    connection.call(endpoint, parameters, options);
}
