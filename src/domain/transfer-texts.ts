const TRANSFER =
  /transfer|trf\b|uberweisung|überweisung|umbuchung|übertrag|virement|bonifico|giroconto|traspaso|overboeking|överföring|przelew|own account|standing order/

/** Whether a folded text of a bank calls a booking a transfer. */
export const mentionsTransfer = (text: string): boolean => TRANSFER.test(text)
