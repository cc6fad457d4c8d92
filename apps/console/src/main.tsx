import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QUERIES } from "./api/query-client.ts";
import { App } from "./app.tsx";

const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={QUERIES}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
