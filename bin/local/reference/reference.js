/* global SwaggerUIBundle -- the renderer, loaded before */
const TOKEN_PAIRS = new Set(['/api/v1/auth/login', '/api/v1/auth/refresh-token']);

const reference = SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The badge of a validator would be asked for elsewhere.
  validatorUrl: null,
  responseInterceptor: signIn,
});

/** After a login on this page, every operation carries the access token: there is no need to paste it. */
function signIn(response) {
  const isTokenPair = response.status === 201 && TOKEN_PAIRS.has(new URL(response.url).pathname);
  if (isTokenPair) {
    reference.preauthorizeApiKey('accessToken', JSON.parse(response.text).access_token);
    const session = document.querySelector('#session');
    session.className = 'signed-in';
    session.textContent = 'Signed in: every operation below carries the access token.';
  }
  return response;
}
