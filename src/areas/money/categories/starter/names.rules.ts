/** The languages that a starter set is written in, in the order of the names below. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const

export type Language = (typeof LANGUAGES)[number]

type Names = readonly [string, string, string, string, string, string, string]

const table = <const Keys extends string>(names: Record<Keys, Names>) => names

// prettier-ignore
const EXPENSES = table({
  housing: ['Housing', 'Wohnen', 'Logement', 'Vivienda', 'Casa', 'Wonen', 'Habitação'],
  rent: ['Rent', 'Miete', 'Loyer', 'Alquiler', 'Affitto', 'Huur', 'Renda'],
  mortgage: ['Mortgage', 'Immobilienkredit', 'Prêt immobilier', 'Hipoteca', 'Mutuo', 'Hypotheek', 'Crédito habitação'],
  energy: ['Electricity and heating', 'Strom und Heizung', 'Électricité et chauffage', 'Luz y gas', 'Luce e gas', 'Energie', 'Luz e gás'],
  water: ['Water and waste', 'Wasser und Müll', 'Eau et ordures', 'Agua y basura', 'Acqua e rifiuti', 'Water en afval', 'Água e resíduos'],
  internet: ['Internet and phone', 'Internet und Telefon', 'Internet et téléphone', 'Internet y teléfono', 'Internet e telefono', 'Internet en telefoon', 'Internet e telefone'],
  upkeep: ['Repairs and upkeep', 'Reparaturen und Instandhaltung', 'Réparations et entretien', 'Reparaciones del hogar', 'Riparazioni e manutenzione', 'Onderhoud en reparaties', 'Reparações e manutenção'],
  furniture: ['Furniture and household', 'Möbel und Haushalt', 'Meubles et équipement', 'Muebles y menaje', 'Arredamento', 'Meubels en huishouden', 'Móveis e utensílios'],
  food: ['Food', 'Essen und Trinken', 'Alimentation', 'Alimentación', 'Alimentazione', 'Eten en drinken', 'Alimentação'],
  groceries: ['Groceries', 'Lebensmittel', 'Courses', 'Supermercado', 'Spesa', 'Boodschappen', 'Supermercado'],
  restaurants: ['Restaurants', 'Restaurants', 'Restaurants', 'Restaurantes', 'Ristoranti', 'Restaurants', 'Restaurantes'],
  canteen: ['Canteen', 'Mensa', 'Restaurant universitaire', 'Comedor', 'Mensa', 'Kantine', 'Cantina'],
  coffee: ['Coffee and snacks', 'Kaffee und Snacks', 'Cafés et encas', 'Café y tentempiés', 'Bar e spuntini', 'Koffie en tussendoortjes', 'Café e lanches'],
  transport: ['Transport', 'Verkehr', 'Transports', 'Transporte', 'Trasporti', 'Vervoer', 'Transportes'],
  fuel: ['Fuel', 'Tanken', 'Carburant', 'Combustible', 'Carburante', 'Brandstof', 'Combustível'],
  transit: ['Public transport', 'Bus und Bahn', 'Transports en commun', 'Transporte público', 'Trasporto pubblico', 'Openbaar vervoer', 'Transportes públicos'],
  car: ['Car maintenance', 'Autowartung', 'Entretien de la voiture', 'Mantenimiento del coche', 'Manutenzione auto', 'Auto-onderhoud', 'Manutenção do carro'],
  carInsurance: ['Car insurance', 'Kfz-Versicherung', 'Assurance auto', 'Seguro del coche', 'Assicurazione auto', 'Autoverzekering', 'Seguro automóvel'],
  bicycle: ['Bicycle', 'Fahrrad', 'Vélo', 'Bicicleta', 'Bicicletta', 'Fiets', 'Bicicleta'],
  taxi: ['Taxi and sharing', 'Taxi und Sharing', 'Taxi et partage', 'Taxi y alquiler', 'Taxi e sharing', 'Taxi en deelvervoer', 'Táxi e partilha'],
  health: ['Health', 'Gesundheit', 'Santé', 'Salud', 'Salute', 'Gezondheid', 'Saúde'],
  doctor: ['Doctors and dentists', 'Arzt und Zahnarzt', 'Médecins et dentistes', 'Médicos y dentistas', 'Medici e dentisti', 'Artsen en tandartsen', 'Médicos e dentistas'],
  pharmacy: ['Pharmacy', 'Apotheke', 'Pharmacie', 'Farmacia', 'Farmacia', 'Apotheek', 'Farmácia'],
  healthInsurance: ['Health insurance', 'Krankenversicherung', 'Assurance santé', 'Seguro médico', 'Assicurazione sanitaria', 'Zorgverzekering', 'Seguro de saúde'],
  care: ['Care', 'Pflege', 'Aide à domicile', 'Cuidados', 'Assistenza', 'Zorg thuis', 'Cuidados'],
  sport: ['Sport and fitness', 'Sport und Fitness', 'Sport', 'Deporte', 'Sport e fitness', 'Sport en fitness', 'Desporto'],
  personal: ['Personal', 'Persönliches', 'Personnel', 'Gastos personales', 'Spese personali', 'Persoonlijk', 'Despesas pessoais'],
  clothing: ['Clothing', 'Kleidung', 'Vêtements', 'Ropa', 'Abbigliamento', 'Kleding', 'Roupa'],
  beauty: ['Hair and beauty', 'Friseur und Kosmetik', 'Coiffeur et beauté', 'Peluquería y belleza', 'Parrucchiere e bellezza', 'Kapper en verzorging', 'Cabeleireiro e beleza'],
  gifts: ['Gifts', 'Geschenke', 'Cadeaux', 'Regalos', 'Regali', 'Cadeaus', 'Presentes'],
  donations: ['Donations', 'Spenden', 'Dons', 'Donativos', 'Donazioni', 'Giften aan goede doelen', 'Donativos'],
  leisure: ['Leisure', 'Freizeit', 'Loisirs', 'Ocio', 'Tempo libero', 'Vrije tijd', 'Lazer'],
  culture: ['Cinema and events', 'Kino und Veranstaltungen', 'Cinéma et sorties', 'Cine y espectáculos', 'Cinema ed eventi', 'Bioscoop en evenementen', 'Cinema e eventos'],
  hobbies: ['Hobbies', 'Hobbys', 'Passe-temps', 'Aficiones', 'Hobby', "Hobby's", 'Passatempos'],
  subscriptions: ['Subscriptions', 'Abonnements', 'Abonnements', 'Suscripciones', 'Abbonamenti', 'Abonnementen', 'Assinaturas'],
  travel: ['Travel', 'Reisen', 'Voyages', 'Viajes', 'Viaggi', 'Reizen', 'Viagens'],
  tickets: ['Flights and trains', 'Flüge und Züge', 'Avions et trains', 'Vuelos y trenes', 'Voli e treni', 'Vluchten en treinen', 'Voos e comboios'],
  lodging: ['Accommodation', 'Unterkunft', 'Hébergement', 'Alojamiento', 'Alloggio', 'Accommodatie', 'Alojamento'],
  children: ['Children', 'Kinder', 'Enfants', 'Hijos', 'Figli', 'Kinderen', 'Filhos'],
  childcare: ['Childcare', 'Kinderbetreuung', "Garde d'enfants", 'Guardería', 'Asilo e babysitter', 'Kinderopvang', 'Creche'],
  school: ['School', 'Schule', 'École', 'Colegio', 'Scuola', 'School', 'Escola'],
  kidsThings: ["Children's clothes and toys", 'Kinderkleidung und Spielzeug', 'Vêtements et jouets', 'Ropa y juguetes', 'Vestiti e giocattoli', 'Kinderkleding en speelgoed', 'Roupa e brinquedos'],
  kidsClubs: ["Children's activities", 'Kurse und Vereine', 'Activités des enfants', 'Actividades extraescolares', 'Attività dei figli', 'Clubs en lessen', 'Atividades dos filhos'],
  pocketMoney: ['Pocket money', 'Taschengeld', 'Argent de poche', 'Paga', 'Paghetta', 'Zakgeld', 'Mesada'],
  studies: ['Studies', 'Studium', 'Études', 'Estudios', 'Studi', 'Studie', 'Estudos'],
  tuition: ['Tuition fees', 'Studiengebühren', 'Frais de scolarité', 'Matrícula', 'Tasse universitarie', 'Collegegeld', 'Propinas'],
  textbooks: ['Books and supplies', 'Bücher und Material', 'Livres et fournitures', 'Libros y material', 'Libri e materiale', 'Boeken en materiaal', 'Livros e material'],
  pets: ['Pets', 'Haustiere', 'Animaux', 'Mascotas', 'Animali', 'Huisdieren', 'Animais'],
  petFood: ['Pet food', 'Tierfutter', 'Nourriture pour animaux', 'Comida para mascotas', 'Cibo per animali', 'Dierenvoer', 'Ração'],
  vet: ['Vet', 'Tierarzt', 'Vétérinaire', 'Veterinario', 'Veterinario', 'Dierenarts', 'Veterinário'],
  finance: ['Finance', 'Finanzen', 'Finances', 'Finanzas', 'Finanze', 'Financiën', 'Finanças'],
  bankFees: ['Bank fees', 'Bankgebühren', 'Frais bancaires', 'Comisiones bancarias', 'Spese bancarie', 'Bankkosten', 'Comissões bancárias'],
  insurance: ['Insurance', 'Versicherungen', 'Assurances', 'Seguros', 'Assicurazioni', 'Verzekeringen', 'Seguros'],
  taxes: ['Taxes', 'Steuern', 'Impôts', 'Impuestos', 'Tasse', 'Belastingen', 'Impostos'],
  interestPaid: ['Loan interest', 'Kreditzinsen', 'Intérêts de crédit', 'Intereses de préstamos', 'Interessi sui prestiti', 'Rente op leningen', 'Juros de empréstimos'],
  otherExpenses: ['Other expenses', 'Sonstige Ausgaben', 'Autres dépenses', 'Otros gastos', 'Altre spese', 'Overige uitgaven', 'Outras despesas'],
})

// prettier-ignore
const INCOME = table({
  work: ['Work', 'Arbeit', 'Travail', 'Trabajo', 'Lavoro', 'Werk', 'Trabalho'],
  salary: ['Salary', 'Gehalt', 'Salaire', 'Nómina', 'Stipendio', 'Salaris', 'Salário'],
  bonus: ['Bonus', 'Bonus', 'Primes', 'Pagas extra', 'Bonus', 'Bonus', 'Bónus'],
  sideJob: ['Side job', 'Nebenjob', "Revenus d'appoint", 'Trabajo extra', 'Lavoretti', 'Bijbaan', 'Trabalho extra'],
  support: ['Benefits and support', 'Leistungen und Unterstützung', 'Aides et allocations', 'Ayudas', 'Sussidi e aiuti', 'Uitkeringen en steun', 'Apoios'],
  benefits: ['State benefits', 'Staatliche Leistungen', 'Prestations sociales', 'Prestaciones', 'Sussidi statali', 'Uitkeringen', 'Subsídios'],
  childBenefit: ['Child benefit', 'Kindergeld', 'Allocations familiales', 'Ayuda por hijo', 'Assegno per i figli', 'Kinderbijslag', 'Abono de família'],
  scholarship: ['Grants and scholarships', 'Stipendium und BAföG', 'Bourses', 'Becas', 'Borse di studio', 'Studiefinanciering', 'Bolsas'],
  family: ['Support by family', 'Unterstützung der Familie', 'Aide de la famille', 'Ayuda de la familia', 'Aiuto della famiglia', 'Steun van familie', 'Ajuda da família'],
  pension: ['Pension', 'Rente', 'Retraite', 'Pensión', 'Pensione', 'Pensioen', 'Pensão'],
  capital: ['Capital income', 'Kapitalerträge', 'Revenus du capital', 'Rentas del capital', 'Redditi da capitale', 'Inkomsten uit vermogen', 'Rendimentos de capital'],
  interest: ['Interest', 'Zinsen', 'Intérêts', 'Intereses', 'Interessi', 'Ontvangen rente', 'Juros'],
  dividends: ['Dividends', 'Dividenden', 'Dividendes', 'Dividendos', 'Dividendi', 'Dividend', 'Dividendos'],
  rental: ['Rental income', 'Mieteinnahmen', 'Revenus locatifs', 'Ingresos por alquiler', 'Affitti percepiti', 'Huurinkomsten', 'Rendas recebidas'],
  otherIncome: ['Other income', 'Sonstige Einnahmen', 'Autres revenus', 'Otros ingresos', 'Altre entrate', 'Overige inkomsten', 'Outras receitas'],
  giftsReceived: ['Gifts received', 'Erhaltene Geschenke', 'Cadeaux reçus', 'Regalos recibidos', 'Regali ricevuti', 'Ontvangen cadeaus', 'Presentes recebidos'],
  taxRefund: ['Tax refund', 'Steuererstattung', "Remboursement d'impôts", 'Devolución de impuestos', 'Rimborso fiscale', 'Belastingteruggaaf', 'Reembolso de impostos'],
})

export type StarterKey = keyof typeof EXPENSES | keyof typeof INCOME

const all: Record<StarterKey, Names> = { ...EXPENSES, ...INCOME }

export const nameIn = (language: Language, key: StarterKey): string =>
  all[key][LANGUAGES.indexOf(language)] ?? key
